'use client'

import { usePathname, useRouter } from 'next/navigation.js'
import { useCallback, useEffect, useState } from 'react'

/** Shows the message that the last page left for this one. Each page takes it only once. */
export function ArrivalNotice() {
  const path = usePathname()
  const [words, setWords] = useState('')
  useEffect(() => setWords(takeNote()), [path])
  return (
    <p role="status" className="svc-arrival">
      {words}
    </p>
  )
}

const key = 'svc.arrival-note'

/** Leaves a message in this tab for the next page, for example that the password is set. */
export function leaveNote(words: string) {
  sessionStorage.setItem(key, words)
}

/** The message, for the first call only; empty if there is none. */
function takeNote() {
  const words = sessionStorage.getItem(key) ?? ''
  sessionStorage.removeItem(key)
  return words
}

/** Goes to a page, and renders it again for the new session. */
export function useArrival() {
  const router = useRouter()
  return useCallback(
    (path: string) => {
      router.push(path)
      router.refresh()
    },
    [router],
  )
}

'use client'

import { usePathname, useRouter } from 'next/navigation.js'
import { useCallback, useEffect, useState } from 'react'

/** Says what has been done on the page that comes next: each page takes what was left for it. */
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

/** Leaves word in this tab for the page that comes next, such as that their password is set. */
export function leaveNote(words: string) {
  sessionStorage.setItem(key, words)
}

/** What was left, once; empty where nothing was. */
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

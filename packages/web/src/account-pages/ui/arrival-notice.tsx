'use client'

import { usePathname } from 'next/navigation.js'
import { useEffect, useState } from 'react'
import { takeNote } from './arrival-note.ts'

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

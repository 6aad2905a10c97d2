'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import { takeNote } from './arrival-note.ts'

/** Says what has been done where somebody arrives from it: each page takes what was left for it. */
export function ArrivalNotice() {
  const path = usePathname()
  const [words, setWords] = useState('')
  useEffect(() => setWords(takeNote()), [path])
  return (
    <p
      role="status"
      className="not-empty:mt-4 not-empty:rounded-lg not-empty:border not-empty:border-line not-empty:bg-sheet not-empty:px-4 not-empty:py-3 text-sm"
    >
      {words}
    </p>
  )
}

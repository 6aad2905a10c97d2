'use client'

import { createContext, useContext, useEffect, useRef } from 'react'

export interface Toast {
  words: string
  undo?: () => void
}

/** Shows a toast, or none. Null where the page has no place for them. */
export const ToastContext = createContext<
  ((next: (now: Toast | null) => Toast | null) => void) | null
>(null)

/**
 * Says what was done in a toast, until the words change. Answers whether it can: otherwise they are to be said in their
 * place.
 */
export function useToast(words: string, undo: (() => void) | undefined) {
  const show = useContext(ToastContext)
  const latest = useRef(undo)
  latest.current = undo
  useEffect(() => {
    if (!words || !show) return undefined
    const toast = { words, ...(latest.current && { undo: () => latest.current?.() }) }
    show(() => toast)
    return () => show((now) => (now === toast ? null : now))
  }, [words, show])
  return show !== null
}

import { useEffect, useRef } from 'react'

/**
 * Puts the focus on what a form asks for first, as soon as that is known, and when it becomes something else. A user who
 * has begun to type keeps the focus.
 */
export function useFirstFocus(first: 'unknown' | 'passkey' | 'field') {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const input = form.current?.querySelector('input')
    if (first === 'unknown' || input?.value) return
    if (first === 'field') input?.focus()
    else form.current?.querySelector('button')?.focus()
  }, [first])
  return form
}

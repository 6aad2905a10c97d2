'use client'

import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  /** The name of what is on show. */
  of: string
  children: ReactNode
}

/** Moves the focus into what has come in the place of something else, and not as the page opens. */
export function FocusOnChange({ of, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(of)
  useEffect(() => {
    if (shown.current === of) return
    shown.current = of
    box.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [of])
  return <div ref={box}>{children}</div>
}

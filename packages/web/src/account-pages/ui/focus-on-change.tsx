'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** What a person reads first, or fills in. */
const target = '[tabindex="-1"], input:not([hidden])'

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
    box.current?.querySelector<HTMLElement>(target)?.focus()
  }, [of])
  return <div ref={box}>{children}</div>
}

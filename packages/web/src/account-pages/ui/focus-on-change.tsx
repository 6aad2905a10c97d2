'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** The first thing that a person reads or fills in. */
const target = '[tabindex="-1"], input:not([hidden])'

interface Props {
  /** The name of the content that is shown. */
  of: string
  children: ReactNode
}

/** Moves the focus into content that replaces other content, but not when the page opens. */
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

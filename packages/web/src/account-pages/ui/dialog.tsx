'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface Props {
  title: string
  /** The user cancels, with Escape too. */
  onCancel: () => void
  children: ReactNode
}

/** In front of the page, which waits for it. It is open for as long as it is rendered. */
export function Dialog({ title, onCancel, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Closed while it is still there, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  return (
    <dialog
      ref={box}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
      // Browsers let users leave: a second Escape closes it without asking.
      onClose={() => box.current?.open || onCancel()}
      className="svc-page svc-dialog"
    >
      <h2 id={titleId} className="svc-title">
        {title}
      </h2>
      <div className="svc-above-2">{children}</div>
    </dialog>
  )
}

'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface Props {
  title: string
  /** The user cancels, with Escape too. */
  onCancel: () => void
  children: ReactNode
}

/** A modal dialog. It is open as long as it is rendered. */
export function Dialog({ title, onCancel, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // If it is closed before it is removed, the focus returns to where it was.
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
      // Browsers always let users leave: a second Escape closes the dialog without asking.
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

'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface Props {
  title: string
  /** Somebody wants out: with Escape too. */
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
      // A browser lets nobody be held: a second Escape closes it without asking.
      onClose={() => box.current?.open || onCancel()}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-xl border border-line bg-sheet p-5 text-ink backdrop:bg-black/50 sm:p-6"
    >
      <h2 id={titleId} className="font-medium text-lg">
        {title}
      </h2>
      <div className="mt-2">{children}</div>
    </dialog>
  )
}

'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from './button.tsx'

interface Props {
  /** The text on the button that asks. */
  children: ReactNode
  /** What will happen if the user confirms. */
  question: ReactNode
  /** A choice that is part of the question. */
  choice?: ReactNode
  confirm: string
  /** The text on the button that cancels. */
  cancel?: string
  isBusy: boolean
  onConfirm: () => void
  /** Why it was refused. Then the question disappears. */
  refusal?: unknown
  /** How the button that asks looks. */
  look?: 'plain' | 'danger'
}

/** A button that asks for confirmation before an action that can't be undone. */
export function ConfirmButton({ children, question, confirm, isBusy, onConfirm, ...rest }: Props) {
  const say = useSay()
  const { choice, cancel = say('Cancel'), look = 'plain', refusal } = rest
  const [isOpen, setOpen] = useState(false)
  const questionId = useId()
  const hasAsked = useRef(false)
  const opener = useRef<HTMLButtonElement>(null)
  const confirmer = useRef<HTMLButtonElement>(null)

  // The button that had the focus was replaced, so the focus goes to its replacement.
  useEffect(() => {
    if (isOpen) confirmer.current?.focus()
    else if (hasAsked.current) opener.current?.focus()
    hasAsked.current = isOpen
  }, [isOpen])

  useEffect(() => {
    if (refusal) setOpen(false)
  }, [refusal])

  if (!isOpen) {
    return (
      <Button ref={opener} look={look} onClick={() => setOpen(true)}>
        {children}
      </Button>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a second way out
    <div
      data-asking
      className="svc-question"
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)}
    >
      <p id={questionId} className="svc-small">
        {question}
      </p>
      {choice}
      <div className="svc-row svc-above-3">
        <Button
          ref={confirmer}
          look="danger"
          aria-describedby={questionId}
          isBusy={isBusy}
          onClick={onConfirm}
        >
          {confirm}
        </Button>
        <Button onClick={() => setOpen(false)}>{cancel}</Button>
      </div>
    </div>
  )
}

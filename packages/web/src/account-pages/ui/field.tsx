'use client'

import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  label: string
  /** Beneath the input, for example the rule for a password. */
  hint?: ReactNode
  /** What is wrong with the input. */
  problem?: string | undefined
  /** Within the input, at its end. */
  action?: ReactNode
  look?: 'plain' | 'code'
}

/** An input with its label, and beneath it what is wrong or a hint. */
export function Field({ label, hint, problem, action, look = 'plain', ...input }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="svc-label">
        {label}
      </label>
      <div className="svc-input-box">
        <input
          {...input}
          id={id}
          aria-describedby={`${id}-note`}
          aria-invalid={problem ? true : undefined}
          className={`svc-input svc-input-${look} ${action ? 'svc-input-acting' : ''}`}
        />
        {action && <div className="svc-input-action">{action}</div>}
      </div>
      <Note id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  )
}

interface NoteProps extends Pick<FieldProps, 'hint' | 'problem'> {
  id: string
}

/** What a field is described by: what is wrong with it, or else its hint. */
export function Note({ id, hint, problem }: NoteProps) {
  return (
    <div id={id} className="svc-small">
      {problem ? (
        <p role="alert" className="svc-problem svc-above-1">
          {problem}
        </p>
      ) : (
        hint && <p className="svc-faded svc-above-1">{hint}</p>
      )}
    </div>
  )
}

/** The text in a field, unchanged. */
export function formText(form: FormData, name: string) {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

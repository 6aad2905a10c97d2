'use client'

import { type ComponentProps, useId } from 'react'
import { Note } from './field.tsx'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  label: string
  hint?: string
  /** What is wrong with the text. */
  problem?: string | undefined
}

/** A `Field` for a text of several lines. */
export function TextArea({ label, hint, problem, ...area }: TextAreaProps) {
  const id = useId()
  return (
    // Its own width is that of its longest word.
    <div className="svc-shrink">
      <label htmlFor={id} className="svc-label">
        {label}
      </label>
      <textarea
        {...area}
        id={id}
        aria-describedby={`${id}-note`}
        aria-invalid={problem ? true : undefined}
        className="svc-input svc-area svc-above-2"
      />
      <Note id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  )
}

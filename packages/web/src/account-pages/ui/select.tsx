'use client'

import { type ComponentProps, useId } from 'react'
import { Note } from './field.tsx'

interface SelectProps extends Omit<ComponentProps<'select'>, 'className' | 'id'> {
  label: string
  hint?: string
}

/** A `Field` for a choice. Its children are `<option>`s. */
export function Select({ label, hint, ...select }: SelectProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="svc-label">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-describedby={`${id}-note`}
        className="svc-input svc-above-2"
      />
      <Note id={`${id}-note`} hint={hint} problem={undefined} />
    </div>
  )
}

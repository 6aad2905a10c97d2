import { type ComponentProps, useId } from 'react'

interface Props extends Omit<ComponentProps<'select'>, 'className' | 'id'> {
  label: string
  hint?: string
}

export function Select({ label, hint, ...select }: Props) {
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
      <p id={`${id}-note`} className="svc-note svc-above-1 svc-if-filled">
        {hint}
      </p>
    </div>
  )
}

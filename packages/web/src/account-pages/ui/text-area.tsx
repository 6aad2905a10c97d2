import { type ComponentProps, useId } from 'react'

interface Props extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  label: string
  hint?: string
}

export function TextArea({ label, hint, ...area }: Props) {
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
        className="svc-input svc-area svc-above-2"
      />
      <p id={`${id}-note`} className="svc-note svc-above-1 svc-if-filled">
        {hint}
      </p>
    </div>
  )
}

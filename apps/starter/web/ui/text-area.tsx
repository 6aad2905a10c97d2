import { type ComponentProps, useId } from 'react'
import { inputLook } from './field.tsx'

interface Props extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  label: string
  hint?: string
}

export function TextArea({ label, hint, ...area }: Props) {
  const id = useId()
  return (
    // Its own width is that of its longest word.
    <div className="min-w-0">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <textarea
        {...area}
        id={id}
        aria-describedby={`${id}-note`}
        className={`${inputLook} field-sizing-content mt-2 min-h-26 resize-none text-base leading-relaxed`}
      />
      <p id={`${id}-note`} className="mt-1 text-faded text-sm empty:hidden">
        {hint}
      </p>
    </div>
  )
}

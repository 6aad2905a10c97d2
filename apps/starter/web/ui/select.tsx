import { type ComponentProps, useId } from 'react'
import { inputLook } from './field.tsx'

interface Props extends Omit<ComponentProps<'select'>, 'className' | 'id'> {
  label: string
  hint?: string
}

export function Select({ label, hint, ...select }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-describedby={`${id}-note`}
        className={`${inputLook} mt-2 text-base`}
      />
      <p id={`${id}-note`} className="mt-1 text-faded text-sm empty:hidden">
        {hint}
      </p>
    </div>
  )
}

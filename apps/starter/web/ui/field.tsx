import { type ComponentProps, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  label: string
  /** Beneath the input, such as what a password may be. */
  hint?: string
  /** What is wrong with what was entered. */
  problem?: string
}

export function Field({ label, hint, problem, ...input }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-describedby={`${id}-note`}
        aria-invalid={problem ? true : undefined}
        className="mt-2 block w-full rounded-lg border border-edge bg-paper px-3 py-2 text-base hover:border-faded aria-invalid:border-danger"
      />
      <p id={`${id}-note`} className={`mt-1 text-sm ${problem ? 'text-danger' : 'text-faded'}`}>
        {problem || hint}
      </p>
    </div>
  )
}

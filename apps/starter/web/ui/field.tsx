import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  label: string
  /** Beneath the input, such as what a password may be. */
  hint?: ReactNode
  /** What is wrong with what was entered. */
  problem?: string | undefined
  /** Within the input, at its end. */
  action?: ReactNode
  look?: keyof typeof looks
}

const looks = {
  plain: 'text-base',
  code: 'font-mono text-xl tracking-[0.4em] placeholder:text-line',
}

export const inputLook =
  'block w-full rounded-lg border border-edge bg-paper px-3 py-2 hover:border-faded aria-invalid:border-danger'

export function Field({ label, hint, problem, action, look = 'plain', ...input }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <div className="relative mt-2">
        <input
          {...input}
          id={id}
          aria-describedby={`${id}-note`}
          aria-invalid={problem ? true : undefined}
          className={`${inputLook} ${looks[look]} ${action ? 'pr-18' : ''}`}
        />
        {action && <div className="absolute inset-y-0 right-0 flex items-center">{action}</div>}
      </div>
      <div id={`${id}-note`} className="text-sm">
        {problem ? (
          <p className="mt-1 text-danger">{problem}</p>
        ) : (
          hint && <p className="mt-1 text-faded">{hint}</p>
        )}
      </div>
    </div>
  )
}

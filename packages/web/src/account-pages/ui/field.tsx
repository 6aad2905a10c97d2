import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  label: string
  /** Beneath the input, such as what a password may be. */
  hint?: ReactNode
  /** What is wrong with what was entered. */
  problem?: string | undefined
  /** Within the input, at its end. */
  action?: ReactNode
  look?: 'plain' | 'code'
}

export function Field({ label, hint, problem, action, look = 'plain', ...input }: Props) {
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
      <div id={`${id}-note`} className="svc-small">
        {problem ? (
          <p className="svc-problem svc-above-1">{problem}</p>
        ) : (
          hint && <p className="svc-faded svc-above-1">{hint}</p>
        )}
      </div>
    </div>
  )
}

import type { ComponentProps } from 'react'
import { Link } from './link.ts'

type Look = 'primary' | 'plain' | 'danger'

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  look?: Look
  /** What it does is under way. It keeps the focus, which `disabled` would take. */
  isBusy?: boolean
}

export function Button({ look = 'plain', isBusy = false, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy}
      className={`svc-button svc-button-${look}`}
    />
  )
}

interface LinkProps extends Omit<ComponentProps<typeof Link>, 'className'> {
  look?: Look
}

/** The same for a link to another page. */
export function ButtonLink({ look = 'plain', ...rest }: LinkProps) {
  return <Link {...rest} className={`svc-button svc-button-${look}`} />
}

import Link from 'next/link'
import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-edge bg-sheet hover:border-faded',
  danger: 'border border-danger text-danger hover:bg-danger hover:text-paper',
}

const shape = 'shrink-0 rounded-lg px-4 py-2 font-medium text-sm'

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  look?: keyof typeof looks
  /** What it does is under way. It keeps the focus, which `disabled` would take. */
  isBusy?: boolean
}

export function Button({ look = 'plain', isBusy = false, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy}
      className={`${shape} aria-disabled:opacity-60 ${looks[look]}`}
    />
  )
}

interface LinkProps extends Omit<ComponentProps<typeof Link>, 'className'> {
  look?: keyof typeof looks
}

/** The same for what leads to another page. */
export function ButtonLink({ look = 'plain', ...rest }: LinkProps) {
  return <Link {...rest} className={`${shape} text-center ${looks[look]}`} />
}

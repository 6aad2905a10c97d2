import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** What it does is under way. It keeps the focus, which `disabled` would take. */
  isBusy?: boolean
}

/** A button in a line of text. */
export function QuietButton({ isBusy = false, ...rest }: Props) {
  return <button {...rest} type="button" aria-disabled={isBusy} className="svc-quiet" />
}

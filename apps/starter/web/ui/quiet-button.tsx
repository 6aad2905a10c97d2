import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** What it does is under way. It keeps the focus, which `disabled` would take. */
  isBusy?: boolean
}

/** A button in a line of text. */
export function QuietButton({ isBusy = false, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      aria-disabled={isBusy}
      className="py-1 text-faded underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current aria-disabled:opacity-60"
    />
  )
}

'use client'

import NextLink from 'next/link.js'
import type { ComponentProps } from 'react'

type Look = 'primary' | 'plain' | 'danger'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  look?: Look
  /** The action is running. The button keeps the focus, which `disabled` would take away. */
  isBusy?: boolean
}

/** A button in the looks of the account pages. While it is busy, it stays focused. */
export function Button({ look = 'plain', isBusy = false, type = 'button', ...rest }: ButtonProps) {
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

/** A link to another page that looks like a `Button`. */
export function ButtonLink({ look = 'plain', ...rest }: LinkProps) {
  return <Link {...rest} className={`svc-button svc-button-${look}`} />
}

interface QuietButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** The action is running. The button keeps the focus, which `disabled` would take away. */
  isBusy?: boolean
}

/** A button in a line of text. */
export function QuietButton({ isBusy = false, ...rest }: QuietButtonProps) {
  return <button {...rest} type="button" aria-disabled={isBusy} className="svc-quiet" />
}

interface TextLinkProps extends Omit<ComponentProps<typeof Link>, 'className'> {
  /** It is not within a sentence, and large enough for a finger. */
  isAlone?: boolean
}

/** A link to another page, in a line of text. */
export function TextLink({ isAlone = false, ...rest }: TextLinkProps) {
  return <Link {...rest} className={isAlone ? 'svc-link svc-link-alone' : 'svc-link'} />
}

// Under Node's rules for modules, the default import of a CommonJS file is its whole `exports`
// object.
export const Link = NextLink.default

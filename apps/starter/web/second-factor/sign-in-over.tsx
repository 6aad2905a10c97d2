import type { ReactNode } from 'react'
import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  returnTo: string
  /** Another way on. */
  children?: ReactNode
}

/** Says that there is nothing to finish, with the way on. */
export function SignInOver({ returnTo, children }: Props) {
  return (
    <div role="status">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your sign-in has expired
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        It took too long, had too many wrong codes, or is already finished.{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in again</TextLink>
      </p>
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  returnTo: string
  /** Another way on. */
  children?: ReactNode
}

/** Says that there is nothing to finish, with the way on. */
export function SignInOver({ returnTo, children }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div role="status">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your sign-in has expired')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {say.nodes(
          'It took too long, had too many wrong codes, or is already finished. <link>Sign in again</link>',
          {
            link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
          },
        )}
      </p>
      {children}
    </div>
  )
}

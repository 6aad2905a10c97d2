import type { ReactNode } from 'react'
import type { useCompleteSignup } from '../../account/use-signup-link.ts'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkOver } from './link-over.tsx'
import { OpenLink } from './open-link.tsx'

interface Props {
  /** What `useCompleteSignup` or `useCompletePasswordReset` answers. */
  setup: ReturnType<typeof useCompleteSignup>
  /** What the link is for. */
  about: string
  /** The page to ask for another link, with the address if it is known. */
  request: (email?: string) => ReactNode
  /** The form for what the link has opened. */
  children: (email: string) => ReactNode
}

/** The page that a mailed link leads to: a button, then a password; or the way to another link. */
export function PasswordSetup({ setup, about, request, children }: Props) {
  const say = useSay()
  const { stage, opened, opening, completing } = setup
  const wasRefused = opening.error !== null || completing.error !== null
  return (
    <FocusOnChange of={stage}>
      {stage === 'unopened' && (
        <OpenLink opening={opening} label={say('Continue')} busyLabel={say('Checking the link…')}>
          {about}
        </OpenLink>
      )}
      {stage === 'opened' && opened && children(opened.email)}
      {stage === 'over' && (
        <LinkOver hadLink={wasRefused} email={opened?.email}>
          {request(opened?.email)}
        </LinkOver>
      )}
    </FocusOnChange>
  )
}

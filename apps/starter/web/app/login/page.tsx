import { type EntranceProps, SignInPage } from '@svc/web/account/next'
import type { Metadata } from 'next'
import { isOnThisMachine } from '../../env.ts'

export const metadata: Metadata = { title: 'Sign in' }

export default function Page(given: EntranceProps<'returnTo' | 'with'>) {
  return <SignInPage {...given} {...(isOnThisMachine && { notes: <FirstSignIn /> })} />
}

function FirstSignIn() {
  return <p>Your terminal shows an email and a password for your first sign-in.</p>
}

import { type EntranceProps, SignInPage } from '@svc/web/account/next'
import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Sign in' }

export default function Page(given: EntranceProps<'returnTo' | 'with'>) {
  return <SignInPage {...given} notes={<FirstSignIn />} />
}

function FirstSignIn() {
  return (
    <p>
      <code className="text-ink">npm start</code> printed an email and a password for your first
      sign-in.
    </p>
  )
}

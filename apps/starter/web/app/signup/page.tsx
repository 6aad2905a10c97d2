import { returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { RegisterNotes } from '../../register/register-notes.tsx'
import { Entrance } from '../../sign-in/entrance.tsx'
import { RequestSignup } from '../../sign-up/request-signup.tsx'
import { SignUpWays } from '../../sign-up/sign-up-ways.tsx'
import { SocialSignUp } from '../../social/social-sign-up.tsx'
import { knownSession } from '../known-session.ts'

export const metadata: Metadata = { title: 'Create an account · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const given = (await searchParams).returnTo
  const returnTo = given === undefined ? '/account' : returnPath(given)
  // While the API is away the form says so, once it is sent.
  if (await knownSession()) redirect(returnTo)
  return (
    <Entrance title="Create an account" notes={<RegisterNotes returnTo={returnTo} />}>
      <SocialSignUp returnTo={returnTo} />
      <SignUpWays way="link" returnTo={returnTo} />
      <div className="mt-6">
        <RequestSignup returnTo={returnTo} />
      </div>
    </Entrance>
  )
}

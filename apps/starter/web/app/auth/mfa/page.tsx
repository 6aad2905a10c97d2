import { getWaitingSignIn, isBackFromProvider, returnPath } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { FinishSignIn } from '../../../second-factor/finish-sign-in.tsx'
import { Entrance } from '../../../sign-in/entrance.tsx'
import { FinishSocialSignIn } from '../../../social/finish-social-sign-in.tsx'
import { knownSession } from '../../known-session.ts'

export const metadata: Metadata = { title: 'Second step · Svc starter' }

interface Props {
  searchParams: Promise<{ returnTo?: string | string[]; oauth?: string | string[] }>
}

/** A sign-in that the API answered with 202 goes on here. */
export default async function Page({ searchParams }: Props) {
  const given = await searchParams
  // A callback has sent the browser here: finishing what it began makes it wait for the second step.
  if (given.oauth === 'pending' && (await isBackFromProvider())) {
    return <FinishSocialSignIn isWaiting />
  }
  const returnTo = returnPath(given.returnTo)
  const waiting = await getWaitingSignIn()
  if (!waiting && (await knownSession())) redirect(returnTo)
  return (
    <Entrance title="One more step" notes={<Notes />}>
      <FinishSignIn returnTo={returnTo} isWaiting={waiting !== null} />
    </Entrance>
  )
}

function Notes() {
  return (
    <>
      <p>
        This account has two-step sign-in. On a new device, you confirm the sign-in with something
        that only you have.
      </p>
      <p>Lost your phone or passkey? Use a recovery code.</p>
    </>
  )
}

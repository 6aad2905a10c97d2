import { redirect } from 'next/navigation.js'
import { getWaitingSignIn, isBackFromProvider } from '../../guards/guards.ts'
import { returnPath } from '../../page/client.ts'
import { SecondStepView } from '../second-factor/finish-sign-in.tsx'
import { FinishSocialSignIn } from '../social/finish-social-sign-in.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** A sign-in that the API answered with 202 continues here. */
export async function SecondStepPage({
  searchParams,
  ...slots
}: EntranceProps<'returnTo' | 'oauth'>) {
  const given = await searchParams
  // A callback has sent the browser here. The sign-in must be finished first: then it waits for the
  // second step.
  if (given.oauth === 'pending' && (await isBackFromProvider())) {
    return <FinishSocialSignIn {...slots} isWaiting />
  }
  const returnTo = returnPath(given.returnTo)
  const waiting = await getWaitingSignIn()
  if (!waiting && (await knownSession())) redirect(returnTo)
  return <SecondStepView {...slots} returnTo={returnTo} isWaiting={waiting !== null} />
}

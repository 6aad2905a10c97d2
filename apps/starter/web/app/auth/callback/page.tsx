import { isBackFromProvider } from '@svc/web/next'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { FinishSocialSignIn } from '../../../social/finish-social-sign-in.tsx'
import { knownSession } from '../../known-session.ts'

export const metadata: Metadata = { title: 'Signing in · Svc starter' }

/** The API's SVC_AUTH_OAUTH_SUCCESS_URL leads here. */
export default async function Page() {
  const isWaiting = await isBackFromProvider()
  if (!isWaiting && (await knownSession())) redirect('/')
  return <FinishSocialSignIn isWaiting={isWaiting} />
}

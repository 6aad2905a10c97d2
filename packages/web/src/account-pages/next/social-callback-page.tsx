import { redirect } from 'next/navigation.js'
import { isBackFromProvider } from '../../guards/back-from-provider.ts'
import { FinishSocialSignIn } from '../social/finish-social-sign-in.tsx'
import { knownSession } from './server-account.ts'

/** The API's SVC_AUTH_OAUTH_SUCCESS_URL leads here. */
export async function SocialCallbackPage() {
  const isWaiting = await isBackFromProvider()
  if (!isWaiting && (await knownSession())) redirect('/')
  return <FinishSocialSignIn isWaiting={isWaiting} />
}

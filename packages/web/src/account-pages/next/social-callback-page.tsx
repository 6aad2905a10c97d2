import { redirect } from 'next/navigation.js'
import { isBackFromProvider } from '../../guards/guards.ts'
import { FinishSocialSignIn } from '../social/finish-social-sign-in.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { knownSession } from './server-account.ts'

/** The API's SVC_AUTH_OAUTH_SUCCESS_URL leads here. */
export async function SocialCallbackPage({ header, after, notes }: EntranceSlots) {
  const isWaiting = await isBackFromProvider()
  if (!isWaiting && (await knownSession())) redirect('/')
  return <FinishSocialSignIn {...{ isWaiting, header, after, notes }} />
}

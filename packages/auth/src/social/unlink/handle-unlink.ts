import { NotFoundError, type RawContext, UnauthorizedError } from '@svc/core'
import { requestOrigin } from '../../caller/request-origin.ts'
import type { OAuthProvider, UnlinkNotification } from '../../openid/provider.ts'
import { findProvider } from '../../providers/registry.ts'
import type { SocialHeld } from '../held.ts'
import { endConsent } from '../linking/end-consent.ts'
import { unlinkRequest } from './unlink-request.ts'

interface Notice {
  raw: RawContext
  provider: string
}

/** Takes away the account elsewhere that a provider names. One that nobody has here was taken away before. */
export async function handleUnlink(auth: SocialHeld, notice: Notice) {
  const { raw } = notice
  const provider = findProvider(auth.providers, notice.provider)
  if (!provider?.verifyUnlinkNotification) throw new NotFoundError({ resource: 'provider' })
  const notification = await verify(auth, provider, raw)
  await endConsent(auth, { provider: provider.id, notification, origin: requestOrigin(raw) })
  return new Response(null, { status: provider.unlinkNotifyAckStatus ?? 200 })
}

async function verify(auth: SocialHeld, provider: OAuthProvider, raw: RawContext) {
  const request = await unlinkRequest(raw, auth.clock.now())
  let notification: UnlinkNotification | null | undefined
  try {
    notification = await provider.verifyUnlinkNotification?.(request)
  } catch (error) {
    auth.log.warn({ err: error, provider: provider.id }, 'an unlink notice could not be verified')
  }
  // In the same words whatever was wrong: a padding, a signature and a time are not to be told apart.
  if (!notification) throw new UnauthorizedError()
  return notification
}

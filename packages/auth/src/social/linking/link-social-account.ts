import type { RawContext } from '@svc/core'
import { refuseKeyless } from '../../authenticate/refuse-keyless.ts'
import type { FreshCaller } from '../../caller/caller.ts'
import type { RequestOrigin } from '../../caller/request-origin.ts'
import { SocialAccountAlreadyLinkedError } from '../accounts/errors.ts'
import { findOfProvider } from '../accounts/store.ts'
import { leave } from '../browser/leave.ts'
import type { SocialHeld } from '../held.ts'

interface Linking {
  raw: RawContext
  caller: FreshCaller
  provider: string
  returnUrl: string
  nonce?: string | undefined
  origin: RequestOrigin
}

/** Sends somebody who is signed in to a provider, to add what they have there as a way in. */
export async function linkSocialAccount(auth: SocialHeld, linking: Linking) {
  const { raw, caller, provider, returnUrl, nonce } = linking
  const { userId, keyId, generation, secondFactorSince } = caller
  refuseKeyless(caller)
  await auth.limits.take('social change by account', userId)
  await auth.limits.take('oauth by address', linking.origin.address)
  if (await findOfProvider(auth.db, userId, provider)) throw new SocialAccountAlreadyLinkedError()
  const secondFactorSinceMillis = secondFactorSince?.getTime() ?? null
  const linkTo = { userId, keyId, generation, secondFactorSinceMillis }
  return leave(auth, { raw, provider, returnUrl, ...(nonce && { nonce }), linkTo })
}

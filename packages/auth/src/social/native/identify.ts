import { ServiceUnavailableError } from '@svc/core'
import { type ProviderIdentity, ProviderRefusalError } from '../../openid/provider.ts'
import { checkIdentity } from '../../providers/check-identity.ts'
import { inTime } from '../../providers/in-time.ts'
import type { SocialNeeds } from '../held.ts'
import { InvalidSocialTokenError } from './errors.ts'
import type { NativeProvider } from './native-provider.ts'

interface Shown {
  idToken: string
  nonce: string
  accessToken?: string | undefined
}

/** Whom an id token is about. Why it does not hold, or cannot be checked, is in the log and in no answer. */
export async function identify(
  { log }: SocialNeeds<'log'>,
  provider: NativeProvider,
  { idToken, nonce, accessToken }: Shown,
): Promise<ProviderIdentity> {
  const given = { nonce, ...(accessToken !== undefined && { accessToken }) }
  try {
    return checkIdentity(await inTime(async () => provider.verifyNativeIdToken(idToken, given)))
  } catch (err) {
    if (err instanceof ProviderRefusalError) {
      log.info({ err, provider: provider.id }, 'an id token does not hold')
      throw new InvalidSocialTokenError()
    }
    log.warn({ err, provider: provider.id }, 'an id token cannot be checked')
    // Not 401: the app would throw away a token that may well hold (attack 16).
    throw new ServiceUnavailableError({ cause: err })
  }
}

import {
  type CodeExchange,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
} from '../../openid/provider.ts'
import { checkIdentity } from '../../providers/check-identity.ts'
import { inTime } from '../../providers/in-time.ts'
import type { SocialNeeds } from '../held.ts'
import { CallbackError } from './callback-failure.ts'

interface Redeeming {
  exchange: CodeExchange
  /** What an id token must have in it. */
  nonce: string
}

/** Who has come back with a code, and what they let us do. Why that cannot be said is in the log, and on no page. */
export async function redeemCode(
  { log }: SocialNeeds<'log'>,
  provider: OAuthProvider,
  { exchange, nonce }: Redeeming,
): Promise<{ tokens: ProviderTokens; identity: ProviderIdentity }> {
  try {
    return await inTime(async () => {
      const tokens = await provider.exchangeCode(exchange)
      return { tokens, identity: checkIdentity(await provider.getIdentity(tokens, { nonce })) }
    })
  } catch (err) {
    const isRefused = err instanceof ProviderRefusalError
    const told = isRefused ? 'a provider did not sign somebody in' : 'a provider cannot be asked'
    log.warn({ err, provider: provider.id }, told)
    throw new CallbackError('provider_error')
  }
}

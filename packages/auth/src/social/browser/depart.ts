import { createHash } from 'node:crypto'
import { ServiceUnavailableError } from '@svc/core'
import { newToken } from '../../crypto/token.ts'
import type { AuthorizationRequest, OAuthProvider } from '../../openid/provider.ts'
import { inTime } from '../../providers/in-time.ts'
import { redirectUriOf } from '../../providers/redirect-uri-of.ts'
import type { SocialNeeds } from '../held.ts'
import type { OAuthState } from './state.ts'
import { sealState, stateMillis } from './state.ts'
import { requireWebProvider } from './web-provider.ts'

type Going = Pick<OAuthState, 'returnUrl' | 'key' | 'metadata' | 'linkTo'> & {
  provider: string
  nonce: string
}

export type DepartNeeds = SocialNeeds<
  'clock' | 'log' | 'providers' | 'stateKey' | 'redirectUris' | 'appUrl'
>

/** The page of the provider, with all that the callback has to know sealed in the state. */
export async function authorizationUrl(auth: DepartNeeds, going: Going) {
  const provider = requireWebProvider(auth, going.provider)
  const codeVerifier = newToken()
  const idTokenNonce = newToken()
  const state = await sealState(auth, {
    ...going,
    id: newToken(),
    codeVerifier,
    idTokenNonce,
    expiresAtMillis: auth.clock.now().getTime() + stateMillis,
  })
  return ask(auth, provider, {
    redirectUri: redirectUriOf(auth, provider.id),
    state,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    nonce: idTokenNonce,
  })
}

/** Some have to be asked where their page is. */
async function ask(
  { log }: SocialNeeds<'log'>,
  provider: OAuthProvider,
  request: AuthorizationRequest,
) {
  try {
    return await inTime(async () => provider.getAuthUrl(request))
  } catch (error) {
    log.warn({ err: error }, 'a provider cannot be asked')
    throw new ServiceUnavailableError()
  }
}

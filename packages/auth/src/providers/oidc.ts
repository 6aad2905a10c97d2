import { type Clock, systemClock } from '@svc/core'
import { askTokens } from './code-flow.ts'
import type { SocialProvider } from './fields.ts'
import {
  claimedIdentity,
  clientProof,
  codeForm,
  createDiscovery,
  createKeySets,
  idTokenOf,
  isProviderAddress,
  openIdUrl,
  refreshForm,
  verifyIdToken,
} from './openid/openid.ts'
import type { OAuthProvider } from './provider.ts'

/**
 * What `createOidcProvider` takes: what the provider gave you when you registered your app there.
 */
export interface OidcProviderOptions {
  readonly id: SocialProvider
  /** As the provider's own metadata spells it. */
  readonly issuer: string
  readonly clientId: string
  /** Without one, PKCE alone proves that a code is redeemed by the client that asked for it. */
  readonly clientSecret?: string
  /** Besides `openid`. `email` and `profile` unless set. */
  readonly scopes?: readonly string[]
  /** Client ids of apps: with any, apps can sign in too. */
  readonly nativeAudiences?: readonly string[]
  /** False if users of the provider may call any address verified. */
  readonly trustsEmail?: boolean
  readonly clock?: Clock
}

/**
 * A provider of OpenID Connect, for `registerOAuthProvider`. Its addresses come from its metadata.
 */
export function createOidcProvider(options: OidcProviderOptions): OAuthProvider {
  const { id, issuer, clientId, clientSecret, clock = systemClock } = options
  const { scopes = ['email', 'profile'], nativeAudiences = [], trustsEmail = true } = options
  if (!isProviderAddress(issuer)) throw new Error(`The issuer of ${id} must be an https address.`)
  const discover = createDiscovery(clock)
  const keys = createKeySets(clock)

  async function identify(idToken: string, audiences: readonly string[], nonce: string) {
    const jwksUri = (await discover(issuer)).endpoint('jwksUri')
    const expected = { issuers: [issuer], audiences, nonce, jwksUri }
    const identity = claimedIdentity(await verifyIdToken({ keys, clock }, idToken, expected))
    return { ...identity, isEmailVerified: trustsEmail && identity.isEmailVerified }
  }

  async function ask(form: Record<string, string>) {
    const metadata = await discover(issuer)
    const proof = clientProof(metadata, { clientId, clientSecret })
    const endpoint = metadata.endpoint('tokenEndpoint')
    return askTokens(endpoint, { form: { ...form, ...proof.form }, headers: proof.headers })
  }

  return {
    id,
    issuer,
    web: true,
    async getAuthUrl(request) {
      const endpoint = (await discover(issuer)).endpoint('authorizationEndpoint')
      return openIdUrl(endpoint, { clientId, scopes }, request).href
    },
    exchangeCode: (exchange) => ask(codeForm(exchange)),
    refreshTokens: (refreshToken) => ask(refreshForm(refreshToken)),
    getIdentity: async (tokens, { nonce }) => identify(idTokenOf(tokens), [clientId], nonce),
    ...(nativeAudiences.length > 0 && {
      verifyNativeIdToken: (idToken: string, { nonce }: { nonce: string }) =>
        identify(idToken, nativeAudiences, nonce),
    }),
  }
}

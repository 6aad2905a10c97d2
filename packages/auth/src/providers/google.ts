import { askTokens, type ProviderNeeds } from './code-flow.ts'
import {
  claimedIdentity,
  codeForm,
  idTokenOf,
  openIdUrl,
  refreshForm,
  verifyIdToken,
} from './openid/openid.ts'
import type { OAuthProvider } from './provider.ts'
import { webClient } from './provider-settings.ts'

/** https://developers.google.com/identity/openid-connect/openid-connect */
export function createGoogleProvider({
  settings,
  endpoints,
  keys,
  clock,
}: ProviderNeeds): OAuthProvider {
  async function identify(idToken: string, audiences: readonly string[], nonce: string) {
    const { issuer, jwksUri } = await endpoints.google()
    const expected = { issuers: spellings(issuer), audiences, nonce, jwksUri }
    return claimedIdentity(await verifyIdToken({ keys, clock }, idToken, expected))
  }

  async function ask(form: Record<string, string>) {
    const { clientId, clientSecret = '' } = webClient(settings)
    const { tokenEndpoint } = await endpoints.google()
    const client = { client_id: clientId, client_secret: clientSecret }
    return askTokens(tokenEndpoint, { form: { ...form, ...client } })
  }

  const { web, nativeAudiences } = settings
  return {
    id: 'google',
    issuer: endpoints.issuers.google,
    web: web !== null,
    async getAuthUrl(request) {
      const { authorizationEndpoint } = await endpoints.google()
      const url = openIdUrl(authorizationEndpoint, webClient(settings), request)
      // Without it there is no refresh token, and `getGoogleAccessToken` would fail after an hour.
      url.searchParams.set('access_type', 'offline')
      return url.href
    },
    exchangeCode: (exchange) => ask(codeForm(exchange)),
    refreshTokens: (refreshToken) => ask(refreshForm(refreshToken)),
    getIdentity: async (tokens, { nonce }) =>
      identify(idTokenOf(tokens), [webClient(settings).clientId], nonce),
    ...(nativeAudiences.length > 0 && {
      verifyNativeIdToken: (idToken: string, { nonce }: { nonce: string }) =>
        identify(idToken, nativeAudiences, nonce),
    }),
  }
}

/** Google uses either as the issuer. */
function spellings(issuer: string) {
  return issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer]
}

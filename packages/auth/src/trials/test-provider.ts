import { directRequest } from '@svc/core/client'
import { newToken } from '../crypto/crypto.ts'
import type { OAuthProvider } from '../providers/providers.ts'
import { routeMap } from '../route-map.generated.ts'
import { done } from '../test-answers.ts'
import type { TestAuth, TestKey } from '../testing.ts'

/** Whoever comes has the address that the code, or the id token, is. */
export const addressProvider: OAuthProvider = {
  id: 'addresses',
  web: true,
  getAuthUrl: ({ state }) => `https://provider.example/?state=${state}`,
  exchangeCode: ({ code }) => Promise.resolve({ accessToken: code }),
  getIdentity: ({ accessToken }) => identityOf(accessToken),
  verifyNativeIdToken: (idToken) => identityOf(idToken),
}

const identityOf = (email: string) =>
  Promise.resolve({ providerUserId: email, email, isEmailVerified: true })

const params = { provider: addressProvider.id }

/** A browser at the provider and back. */
export function browserOf(auth: TestAuth) {
  const nonce = newToken()

  /** What is sealed for the way, with the key that is sent ahead. */
  async function stateFor(key?: TestKey): Promise<string> {
    const body = { returnUrl: '/', nonce, ...key?.registration }
    const { authUrl } = await done(auth.call('getProviderOAuthUrl', body, undefined, { params }))
    return new URL(authUrl).searchParams.get('state') ?? ''
  }

  function comeBack(state: string, email: string) {
    const query = { state, code: email }
    const input = { params, query, headers: { cookie: `svc_oauth_csrf_443=${nonce}` } }
    const { url, headers } = directRequest(auth.url, { ...routeMap.oauthCallback, input })
    return fetch(url, { headers, redirect: 'manual' })
  }

  /** What a browser without a key finishes with. */
  async function pendingTokenOf(email: string): Promise<string> {
    const answer = await comeBack(await stateFor(), email)
    const [, token = ''] =
      /svc_oauth_pending=([^;]+)/.exec(answer.headers.getSetCookie().join()) ?? []
    return token
  }

  return { stateFor, comeBack, pendingTokenOf }
}

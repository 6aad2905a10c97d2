import { createHash } from 'node:crypto'
import { createVirtualClock } from '@svc/core/testing'
import { readEndpoints } from '../endpoints.ts'
import type { BuiltinProvider } from '../fields.ts'
import { createKeySets } from '../openid/openid.ts'
import type { OAuthProvider } from '../provider.ts'
import { readProviderSettings } from '../provider-settings.ts'

/** What a built-in provider is made of, by variables. */
export function needsFrom(provider: BuiltinProvider, env: Record<string, string>) {
  const clock = createVirtualClock()
  const settings = readProviderSettings(env)[provider]
  return { settings, endpoints: readEndpoints(env), keys: createKeySets(clock), clock }
}

const codeVerifier = 'a-verifier-of-the-tests-that-is-long-enough-43'
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
const redirectUri = 'http://localhost:3790/_auth/oauth/somewhere/callback'
const nonce = 'a-nonce'

/**
 * The identity that a browser comes back with from the provider. `meddle` changes what its code is
 * redeemed with.
 */
export async function signInOnTheWeb(provider: OAuthProvider, meddle: Partial<CodeToRedeem> = {}) {
  const tokens = await provider.exchangeCode({ ...(await obtainCode(provider)), ...meddle })
  return { tokens, identity: await provider.getIdentity(tokens, { nonce }) }
}

type CodeToRedeem = Awaited<ReturnType<typeof obtainCode>>

export async function obtainCode(provider: OAuthProvider) {
  const request = { redirectUri, state: 'a-state', codeChallenge, nonce }
  const page = await fetch(await provider.getAuthUrl(request), { redirect: 'manual' })
  const back = new URL(page.headers.get('location') ?? '')
  const code = back.searchParams.get('code') ?? ''
  return { redirectUri, code, codeVerifier, state: back.searchParams.get('state') ?? '' }
}

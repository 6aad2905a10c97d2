import { createHash, randomUUID } from 'node:crypto'
import {
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  registerOAuthProvider,
} from '../../../providers/providers.ts'

export const authorizePage = 'https://provider.test/authorize'

/** What a provider sends a browser back with. */
export interface Consent {
  readonly state: string
  readonly code: string
}

/** A user of the provider that no test has used before. */
export function somebody(known: Partial<ProviderIdentity> = {}): ProviderIdentity {
  return { providerUserId: randomUUID(), isEmailVerified: known.email !== undefined, ...known }
}

/**
 * A provider, of which the test is the page that asks for consent. Its codes are good once, and for the verifier, the
 * redirect URI and the nonce that the browser was sent with. Registered for the whole process: name it after the file.
 */
export function testProvider(id: string, more: Partial<OAuthProvider> = {}) {
  const codes = new Map<string, Given>()
  const tokens = new Map<string, Given>()
  /** Everything secret that it has given. */
  const secrets: string[] = []

  const provider: OAuthProvider = {
    id,
    web: true,
    getAuthUrl: (request) => `${authorizePage}?${new URLSearchParams({ ...request })}`,
    async exchangeCode({ code, codeVerifier, redirectUri, state }) {
      const given = codes.get(code)
      codes.delete(code)
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
      if (!given || given.redirectUri !== redirectUri || given.state !== state) throw refusal()
      if (given.codeChallenge !== challenge) throw refusal()
      const accessToken = secret('access')
      tokens.set(accessToken, given)
      return { accessToken, refreshToken: secret('refresh'), expiresInSeconds: 3600 }
    },
    async getIdentity({ accessToken }, { nonce }) {
      const given = tokens.get(accessToken)
      if (given?.nonce !== nonce) throw refusal()
      return given.identity
    },
    ...more,
  }
  registerOAuthProvider(provider)

  function secret(kind: string) {
    const made = `${kind}-${randomUUID()}`
    secrets.push(made)
    return made
  }

  /** The user who is signed in there agrees. */
  function consent(authUrl: string, identity: ProviderIdentity): Consent {
    const { redirectUri = '', state = '', codeChallenge = '', nonce = '' } = sentTo(authUrl)
    const code = secret('code')
    codes.set(code, { redirectUri, state, codeChallenge, nonce, identity })
    return { state, code }
  }

  return { id, provider, secrets, consent }
}

export type TestProvider = ReturnType<typeof testProvider>

interface Given {
  redirectUri: string
  state: string
  codeChallenge: string
  nonce: string
  identity: ProviderIdentity
}

/** What a browser was sent to the provider with. */
export function sentTo(authUrl: string): Record<string, string> {
  return Object.fromEntries(new URL(authUrl).searchParams)
}

const refusal = () => new ProviderRefusalError('the test provider refuses')

import { createHash, randomUUID } from 'node:crypto'
import type { Asked, TestAnswer } from './test-provider-server.ts'

interface FlowOptions<User> {
  readonly clientId: string
  readonly clientSecret: string | null
  /** Whether redeeming a code needs the verifier of its challenge. */
  readonly takesPkce: boolean
  /** What each of its users is told for a code: the access token is made for them here. */
  tokens?(user: User, accessToken: string): Record<string, unknown>
  refusal(error: string): TestAnswer
}

interface Grant<User> {
  readonly user: User
  readonly redirectUri: string | null
  readonly challenge: string | null
}

/**
 * The authorization code flow of a provider: every visitor consents at once, as the user that is
 * set.
 */
export function startCodeFlow<User>(options: FlowOptions<User>, firstUser: User) {
  const grants = new Map<string, Grant<User>>()
  const users = new Map<string, User>()
  let current = firstUser
  let consents = true

  function accessTokenOf(user: User) {
    const accessToken = `access-${randomUUID()}`
    users.set(accessToken, user)
    return accessToken
  }

  function authorize({ query }: Asked): TestAnswer {
    const redirectUri = query.get('redirect_uri')
    const back = URL.parse(redirectUri ?? '')
    const isRight =
      query.get('client_id') === options.clientId && query.get('response_type') !== 'token'
    if (!back || !isRight) return { status: 400, json: { error: 'invalid_request' } }
    back.searchParams.set('state', query.get('state') ?? '')
    if (!consents) {
      back.searchParams.set('error', 'access_denied')
      return { location: back.href }
    }
    const code = `code-${randomUUID()}`
    grants.set(code, { user: current, redirectUri, challenge: query.get('code_challenge') })
    back.searchParams.set('code', code)
    return { location: back.href }
  }

  function token({ form }: Asked): TestAnswer {
    if (form.get('client_id') !== options.clientId) return options.refusal('invalid_client')
    if (form.get('client_secret') !== options.clientSecret) return options.refusal('invalid_client')
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    // A code can be used once, with any outcome.
    grants.delete(code)
    if (!grant || !mayRedeem(grant, form)) return options.refusal('invalid_grant')
    const accessToken = accessTokenOf(grant.user)
    return {
      json: {
        access_token: accessToken,
        token_type: 'bearer',
        ...options.tokens?.(grant.user, accessToken),
      },
    }
  }

  function mayRedeem({ redirectUri, challenge }: Grant<User>, form: URLSearchParams) {
    const given = form.get('redirect_uri')
    if (given !== null && given !== redirectUri) return false
    return !options.takesPkce || challenge === s256(form.get('code_verifier') ?? '')
  }

  return {
    authorize,
    token,
    accessTokenOf,
    /** Whose the token in the header is. */
    userOf: ({ headers }: Asked) => users.get(headers.authorization?.replace(/^Bearer /, '') ?? ''),
    setUser: (user: User) => {
      current = user
    },
    /** Whether who comes consents. */
    setConsent: (answer: boolean) => {
      consents = answer
    },
  }
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

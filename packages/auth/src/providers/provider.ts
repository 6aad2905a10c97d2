import type { SocialProvider } from './fields.ts'

/** The user, as a provider identifies them. */
export interface ProviderIdentity {
  /** The provider's own id for the account. It never changes, and no other account ever gets it. */
  readonly providerUserId: string
  readonly email?: string
  /** The provider has seen that the address is theirs. Only then may it find, or become, an address of ours. */
  readonly isEmailVerified: boolean
  /** For the profile of a new account. */
  readonly name?: string
}

/** What a provider gives for a code, or for a refresh token. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly idToken?: string
  readonly expiresInSeconds?: number
}

/** What a browser is sent to the provider with. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  /** Of the code verifier that `exchangeCode` is given: S256 (RFC 7636). */
  readonly codeChallenge: string
  /** What an id token must come back with. */
  readonly nonce: string
}

export interface CodeExchange {
  readonly redirectUri: string
  readonly code: string
  readonly codeVerifier: string
  /** As the provider has sent it back; some ask for it again. */
  readonly state: string
}

export interface NativeSignIn {
  readonly nonce: string
  /** For providers whose id token does not say which address is verified. */
  readonly accessToken?: string
}

/** What a provider has sent to say that a user ended the consent. */
export interface UnlinkRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Headers
  /** From the query, and from the form in the body. */
  readonly fields: URLSearchParams
  /** For what is too old to be believed. */
  readonly now: Date
}

export interface UnlinkNotification {
  readonly providerUserId: string
  readonly reason: string
  /** When it was sent, if that is signed: a user who has consented since then stays linked. */
  readonly at?: Date
}

/**
 * Where people have an account that they sign in here with. What a method throws decides who is told what: a
 * `ProviderRefusalError` is the word of the provider, or a token that does not hold; anything else means that the
 * provider cannot be asked right now.
 */
export interface OAuthProvider {
  readonly id: SocialProvider
  /** Absent or false where a browser cannot sign in with it. */
  readonly web?: boolean
  /** The page of the provider that a browser is sent to. */
  getAuthUrl(request: AuthorizationRequest): Promise<string> | string
  exchangeCode(exchange: CodeExchange): Promise<ProviderTokens>
  /** The user who has signed in, by the tokens of a code. */
  getIdentity(tokens: ProviderTokens, expected: { nonce: string }): Promise<ProviderIdentity>
  refreshTokens?(refreshToken: string): Promise<ProviderTokens>
  /** Absent where an app cannot sign in with it. */
  verifyNativeIdToken?(idToken: string, given: NativeSignIn): Promise<ProviderIdentity>
  /** Null for what the provider did not send. Absent where it sends nothing. */
  verifyUnlinkNotification?(
    request: UnlinkRequest,
  ): Promise<UnlinkNotification | null> | UnlinkNotification | null
  /** What it wants to hear when it was understood. 200 unless set. */
  readonly unlinkNotifyAckStatus?: number
}

/** The provider has refused, or its answer is not valid. The text is for the log only. */
export class ProviderRefusalError extends Error {
  override readonly name = 'ProviderRefusalError'
  /** The error of RFC 6749, 5.2. Unless it is absent or `invalid_grant`, it says nothing about a refresh token. */
  readonly code: string | undefined

  constructor(message?: string, code?: string) {
    super(message)
    this.code = code
  }
}

import type { SocialProvider } from './fields.ts'

/** The user, as a provider identifies them. */
export interface ProviderIdentity {
  /** The provider's own id for the account. It never changes, and no other account ever gets it. */
  readonly providerUserId: string
  readonly email?: string
  /**
   * Whether the provider has verified that the address is the user's. Only then may it find an
   * account here, or become an account's address.
   */
  readonly isEmailVerified: boolean
  /** For the profile of a new account. */
  readonly name?: string
}

/** What a provider returns for a code, or for a refresh token. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly idToken?: string
  readonly expiresInSeconds?: number
}

/** The values that a browser takes to the provider. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  /** Of the code verifier that `exchangeCode` gets: S256 (RFC 7636). */
  readonly codeChallenge: string
  /** The nonce that the id token must contain. */
  readonly nonce: string
}

/**
 * What the callback of a provider has brought, and the secret half of the browser's code challenge.
 */
export interface CodeExchange {
  readonly redirectUri: string
  readonly code: string
  readonly codeVerifier: string
  /** As the provider has returned it; some require it again. */
  readonly state: string
}

/** What an app sends besides the id token that it got from the provider's SDK. */
export interface NativeSignIn {
  readonly nonce: string
  /** For providers whose id token does not say which address is verified. */
  readonly accessToken?: string
}

/** A provider's notice that a user has withdrawn the consent. */
export interface UnlinkRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Headers
  /** From the query, and from the form in the body. */
  readonly fields: URLSearchParams
  /** To refuse a notice that is too old. */
  readonly now: Date
}

/** A provider's notice, after its check: which of its users has withdrawn the consent, and why. */
export interface UnlinkNotification {
  readonly providerUserId: string
  readonly reason: string
  /** When it was sent, if that is signed: a user who has consented since then stays linked. */
  readonly at?: Date
}

/**
 * An identity provider, whose users can sign in here. What a method throws decides the response: a
 * `ProviderRefusalError` if the provider refuses or a token is not valid, and any other error if
 * the provider can't be reached.
 */
export interface OAuthProvider {
  readonly id: SocialProvider
  /** The issuer of its id tokens, within which it names its users. Absent if it has none. */
  readonly issuer?: string
  /** Absent or false if it does not sign in browsers. */
  readonly web?: boolean
  /** The page of the provider that signs the user in. */
  getAuthUrl(request: AuthorizationRequest): Promise<string> | string
  exchangeCode(exchange: CodeExchange): Promise<ProviderTokens>
  /** The user who has signed in, by the tokens of a code. */
  getIdentity(tokens: ProviderTokens, expected: { nonce: string }): Promise<ProviderIdentity>
  refreshTokens?(refreshToken: string): Promise<ProviderTokens>
  /** Absent if it does not sign in apps. */
  verifyNativeIdToken?(idToken: string, given: NativeSignIn): Promise<ProviderIdentity>
  /** Null if the provider did not send it. Absent if it sends none. */
  verifyUnlinkNotification?(
    request: UnlinkRequest,
  ): Promise<UnlinkNotification | null> | UnlinkNotification | null
  /** The status by which it knows that the notice was accepted. 200 unless set. */
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

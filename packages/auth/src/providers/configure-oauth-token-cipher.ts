/** What a token belongs to: whoever moves what is stored to another account or field must not get it opened there. */
export interface TokenContext {
  readonly provider: string
  readonly providerUserId: string
  readonly tokenType: 'access' | 'refresh'
}

/** Encrypts what providers give by other means than `SVC_AUTH_TOKEN_ENCRYPTION_KEYS`, such as a key service. */
export interface OAuthTokenCipher {
  encrypt(token: string, context: TokenContext): Promise<string> | string
  /** Throws for what it has not encrypted for this context. */
  decrypt(encrypted: string, context: TokenContext): Promise<string> | string
}

let configuredCipher: OAuthTokenCipher | null = null

/** Sets what encrypts the tokens of providers throughout this process: before a server starts. */
export function configureOAuthTokenCipher(cipher: OAuthTokenCipher): void {
  configuredCipher = cipher
}

/** @internal */
export function configuredTokenCipher() {
  return configuredCipher
}

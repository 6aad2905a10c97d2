import { setTimeout as wait } from 'node:timers/promises'
import {
  type Clock,
  defineEnv,
  EnvironmentError,
  type EnvironmentSource,
  optional,
} from '@svc/core'
import type { Needs } from '../auth.ts'
import { readKeyring } from '../crypto/crypto.ts'
import type { AuthEnv } from '../env.ts'
import { createAppleProvider } from './apple.ts'
import { readEndpoints } from './endpoints.ts'
import { addSocialProvider, type SocialProvider } from './fields.ts'
import { createGithubProvider } from './github.ts'
import { createGoogleProvider } from './google.ts'
import { createKakaoProvider } from './kakao.ts'
import { createNaverProvider } from './naver.ts'
import { createKeySets } from './openid/openid.ts'
import { type OAuthProvider, type ProviderIdentity, ProviderRefusalError } from './provider.ts'
import { type RedirectUris, readProviderSettings } from './provider-settings.ts'

export { readEndpoints } from './endpoints.ts'
export { createOidcProvider, type OidcProviderOptions } from './oidc.ts'
export {
  createKeySets,
  isProviderAddress,
  keysOfSet,
  ProviderUnavailableError,
  type PublishedKey,
  pickKey,
  type SigningAlgorithm,
  type WantedKey,
} from './openid/openid.ts'
export {
  type AuthorizationRequest,
  type CodeExchange,
  type NativeSignIn,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
  type UnlinkNotification,
  type UnlinkRequest,
} from './provider.ts'
export { type RedirectUris, readRedirectUris } from './provider-settings.ts'

/** The built-in providers that are configured, and those of the application. */
export function createProviders(
  source: EnvironmentSource,
  { clock, env }: { clock: Clock; env: Pick<AuthEnv, 'SVC_AUTH_KAKAO_ADMIN_KEY'> },
  own: readonly OAuthProvider[] = [],
): Providers {
  const settings = readProviderSettings(source)
  const shared = { endpoints: readEndpoints(source, clock), keys: createKeySets(clock), clock }
  const providers = [
    createGoogleProvider({ ...shared, settings: settings.google }),
    createAppleProvider({ ...shared, settings: settings.apple }),
    createGithubProvider({ ...shared, settings: settings.github }),
    createKakaoProvider({
      ...shared,
      settings: settings.kakao,
      adminKey: env.SVC_AUTH_KAKAO_ADMIN_KEY,
    }),
    createNaverProvider({ ...shared, settings: settings.naver }),
  ]
  return providersOf(new Map(providers.map((provider) => [provider.id, provider])), own)
}

type ById = ReadonlyMap<SocialProvider, OAuthProvider>

/** The providers that `registerOAuthProvider` has added for all servers of this process. */
const registered = new Map<SocialProvider, OAuthProvider>()

/**
 * Adds a provider, or replaces the one with the same id, before a server starts. For one server
 * alone, give it to `createAuthLifecycle({ providers })`.
 */
export function registerOAuthProvider(provider: OAuthProvider): void {
  addSocialProvider(provider.id)
  registered.set(provider.id, provider)
}

/** The providers of one server, by id. */
export interface Providers {
  find(id: string): OAuthProvider | null
  all(): OAuthProvider[]
}

/** Those of the application win over those of the process, and these over the built-in ones. */
export function providersOf(builtin: ById, own: readonly OAuthProvider[] = []): Providers {
  for (const { id } of own) addSocialProvider(id)
  const ofServer = new Map(own.map((provider) => [provider.id, provider]))
  return {
    find: (id) => ofServer.get(id) ?? registered.get(id) ?? builtin.get(id) ?? null,
    all: () => [...new Map([...builtin, ...registered, ...ofServer]).values()],
  }
}

const readVariables = defineEnv({
  SVC_AUTH_GOOGLE_CLIENT_ID: optional,
  SVC_AUTH_GOOGLE_CLIENT_SECRET: optional,
  SVC_AUTH_GITHUB_CLIENT_ID: optional,
  SVC_AUTH_GITHUB_CLIENT_SECRET: optional,
  SVC_AUTH_NAVER_CLIENT_ID: optional,
  SVC_AUTH_NAVER_CLIENT_SECRET: optional,
})

type Pair = readonly (keyof ReturnType<typeof readVariables>)[]

/** The variables of those that need two in browsers. */
const pairs: ReadonlyMap<SocialProvider, Pair> = new Map([
  ['google', ['SVC_AUTH_GOOGLE_CLIENT_ID', 'SVC_AUTH_GOOGLE_CLIENT_SECRET']],
  ['github', ['SVC_AUTH_GITHUB_CLIENT_ID', 'SVC_AUTH_GITHUB_CLIENT_SECRET']],
  ['naver', ['SVC_AUTH_NAVER_CLIENT_ID', 'SVC_AUTH_NAVER_CLIENT_SECRET']],
])

/** The variables that turn on each of ours, by its id. */
export const providerVariables: ReadonlyMap<SocialProvider, readonly string[]> = new Map<
  SocialProvider,
  readonly string[]
>([...pairs, ['kakao', ['SVC_AUTH_KAKAO_CLIENT_ID']], ['apple', ['SVC_AUTH_APPLE_CLIENT_IDS']]])

/** The variable that each provider lacks of whose two one is set. */
export function halfSetProviders(source: EnvironmentSource): ReadonlyMap<SocialProvider, string> {
  const env = readVariables(source)
  const missing = new Map<SocialProvider, string>()
  for (const [provider, names] of pairs) {
    const [name, ...others] = names.filter((each) => !env[each])
    if (name !== undefined && others.length === 0) missing.set(provider, name)
  }
  return missing
}

/**
 * A client id without its secret, or the reverse, is not an error, but there is no button either.
 * The log says so, because you would look for the reason.
 */
export function reportHalfSet(source: EnvironmentSource, { log }: Needs<'log'>) {
  for (const missing of halfSetProviders(source).values()) {
    log.warn({ missing }, 'a provider is off in browsers: one of its variables is missing')
  }
}

/**
 * What a token belongs to. If an attacker moves a stored token to another account or field, it
 * can't be decrypted there.
 */
export interface TokenContext {
  readonly provider: string
  readonly providerUserId: string
  readonly tokenType: 'access' | 'refresh'
}

/**
 * Encrypts the tokens of providers by other means than `SVC_AUTH_TOKEN_ENCRYPTION_KEYS`, such as a
 * key service.
 */
export interface OAuthTokenCipher {
  encrypt(token: string, context: TokenContext): Promise<string> | string
  /** Throws unless it was encrypted for this context. */
  decrypt(encrypted: string, context: TokenContext): Promise<string> | string
}

let configuredCipher: OAuthTokenCipher | null = null

/**
 * Sets what encrypts the tokens of providers throughout this process: before a server starts. For one server
 * alone, give it to `createAuthLifecycle({ tokenCipher })`.
 */
export function configureOAuthTokenCipher(cipher: OAuthTokenCipher): void {
  configuredCipher = cipher
}

/** @internal */
export function configuredTokenCipher() {
  return configuredCipher
}

/**
 * A provider's tokens from a sign-in on the web are stored encrypted, so encryption must be
 * configured.
 */
export const checkTokenEncryption = (own?: OAuthTokenCipher) => (source: EnvironmentSource) => {
  const onTheWeb = Object.entries(readProviderSettings(source)).filter(([, { web }]) => web)
  if (onTheWeb.length === 0 || readKeyring(source) || own || configuredTokenCipher()) return
  const providers = onTheWeb.map(([provider]) => provider).join(', ')
  throw new EnvironmentError([
    `SVC_AUTH_TOKEN_ENCRYPTION_KEYS is required for sign-in on the web with ${providers}`,
  ])
}

/** A provider that the application has registered redirects back to the app as well. */
export function redirectUriOf(
  { redirectUris, appUrl }: Needs<'appUrl'> & { redirectUris: RedirectUris },
  id: string,
) {
  const configured: Partial<Record<string, string>> = redirectUris
  return configured[id] ?? `${appUrl}/_auth/oauth/${id}/callback`
}

const longest = 255
// What results if a missing id is converted to text.
const noNames = new Set(['', 'null', 'undefined'])

/** Whether it can be the id of a user elsewhere. */
export function isProviderUserId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= longest && !/\p{Cc}/u.test(id) && !noNames.has(id)
}

/**
 * An application's own provider may return values unchecked. Then all users without an id of their
 * own would share one account, and the text `false` would verify an address.
 */
export function checkIdentity(identity: ProviderIdentity): ProviderIdentity {
  if (!isProviderUserId(identity.providerUserId))
    throw new ProviderRefusalError('the provider gave no usable user id')
  const isVerified: unknown = identity.isEmailVerified
  if (typeof isVerified !== 'boolean') {
    throw new ProviderRefusalError(
      'the provider says neither true nor false for a verified address',
    )
  }
  return identity
}

// A provider gets several requests, one after the other, and the response is still due within five
// seconds (F20).
const longestMillis = 4500

/** Waits for a provider, but no longer than our own client waits. */
export async function inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
  const settled = new AbortController()
  const late = wait(longestMillis, null, { signal: settled.signal }).then(() => {
    throw new Error(`no answer within ${longestMillis} ms`)
  })
  try {
    return await Promise.race([ask(), late])
  } finally {
    settled.abort()
  }
}

import { defineEnv, EnvironmentError, type EnvironmentSource, list, optional } from '@svc/core'
import { readAppUrl } from '../app-url.ts'
import type { BuiltinProvider } from './fields.ts'

/** The server as a client of a provider, for signing in browsers. */
export interface WebClient {
  readonly clientId: string
  readonly clientSecret?: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
}

export interface ProviderSettings {
  /** `null` if the provider is not used for signing in on the web. */
  readonly web: WebClient | null
  /**
   * The allowed audiences of an id token. Empty if the provider is not used for signing in in apps.
   */
  readonly nativeAudiences: readonly string[]
}

const readVariables = defineEnv({
  SVC_AUTH_GOOGLE_CLIENT_ID: optional,
  SVC_AUTH_GOOGLE_CLIENT_SECRET: optional,
  SVC_AUTH_GOOGLE_SCOPES: list(['email', 'profile']),
  SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS: list(),
  SVC_AUTH_GITHUB_CLIENT_ID: optional,
  SVC_AUTH_GITHUB_CLIENT_SECRET: optional,
  SVC_AUTH_GITHUB_SCOPES: list(['read:user', 'user:email']),
  SVC_AUTH_NAVER_CLIENT_ID: optional,
  SVC_AUTH_NAVER_CLIENT_SECRET: optional,
  SVC_AUTH_NAVER_NATIVE_CLIENT_IDS: list(),
  SVC_AUTH_KAKAO_CLIENT_ID: optional,
  SVC_AUTH_KAKAO_CLIENT_SECRET: optional,
  SVC_AUTH_KAKAO_SCOPES: list(['account_email']),
  SVC_AUTH_KAKAO_NATIVE_CLIENT_IDS: list(),
  SVC_AUTH_APPLE_CLIENT_IDS: list(),
})

type Variables = ReturnType<typeof readVariables>

/** The configuration of each provider. */
export function readProviderSettings(
  source: EnvironmentSource,
): Record<BuiltinProvider, ProviderSettings> {
  const env = readVariables(source)
  const uris = readRedirectUris(source)
  return {
    google: google(env, uris),
    github: { web: githubClient(env, uris), nativeAudiences: [] },
    naver: naver(env, uris),
    kakao: kakao(env, uris),
    apple: { web: null, nativeAudiences: env.SVC_AUTH_APPLE_CLIENT_IDS },
  }
}

function google(env: Variables, uris: RedirectUris): ProviderSettings {
  const clientId = env.SVC_AUTH_GOOGLE_CLIENT_ID
  const clientSecret = env.SVC_AUTH_GOOGLE_CLIENT_SECRET
  const scopes = env.SVC_AUTH_GOOGLE_SCOPES
  const own = env.SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS
  return {
    web:
      clientId && clientSecret
        ? { clientId, clientSecret, scopes, redirectUri: uris.google }
        : null,
    // A web client alone doesn't mean that apps may sign in.
    nativeAudiences: own.length > 0 ? audiences(own, clientId) : [],
  }
}

function githubClient(env: Variables, uris: RedirectUris): WebClient | null {
  const clientId = env.SVC_AUTH_GITHUB_CLIENT_ID
  const clientSecret = env.SVC_AUTH_GITHUB_CLIENT_SECRET
  if (!clientId || !clientSecret) return null
  return { clientId, clientSecret, scopes: env.SVC_AUTH_GITHUB_SCOPES, redirectUri: uris.github }
}

function naver(env: Variables, uris: RedirectUris): ProviderSettings {
  const clientId = env.SVC_AUTH_NAVER_CLIENT_ID
  const clientSecret = env.SVC_AUTH_NAVER_CLIENT_SECRET
  return {
    // At Naver, the registration of the application sets which data it gets, not scopes.
    web:
      clientId && clientSecret
        ? { clientId, clientSecret, scopes: [], redirectUri: uris.naver }
        : null,
    nativeAudiences: audiences(env.SVC_AUTH_NAVER_NATIVE_CLIENT_IDS, clientId),
  }
}

function kakao(env: Variables, uris: RedirectUris): ProviderSettings {
  const clientId = env.SVC_AUTH_KAKAO_CLIENT_ID
  const clientSecret = env.SVC_AUTH_KAKAO_CLIENT_SECRET
  const scopes = env.SVC_AUTH_KAKAO_SCOPES
  const secret = clientSecret === undefined ? {} : { clientSecret }
  return {
    web: clientId ? { clientId, ...secret, scopes, redirectUri: uris.kakao } : null,
    nativeAudiences: audiences(env.SVC_AUTH_KAKAO_NATIVE_CLIENT_IDS, clientId),
  }
}

function audiences(own: readonly string[], webClientId: string | undefined) {
  return [...new Set(webClientId === undefined ? own : [...own, webClientId])]
}

const readRedirectVariables = defineEnv({
  SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK: optional,
  SVC_AUTH_GOOGLE_REDIRECT_URI: optional,
  SVC_AUTH_GITHUB_REDIRECT_URI: optional,
  SVC_AUTH_KAKAO_REDIRECT_URI: optional,
  SVC_AUTH_NAVER_REDIRECT_URI: optional,
})

/** The address to which each provider redirects a browser. */
export function readRedirectUris(source: EnvironmentSource) {
  const env = readRedirectVariables(source)
  const appUrl = readAppUrl(source)
  const isChecked = env.SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK !== 'off'
  const problems: string[] = []

  function redirectUri(provider: 'google' | 'github' | 'kakao' | 'naver') {
    const name =
      `SVC_AUTH_${provider.toUpperCase() as Uppercase<typeof provider>}_REDIRECT_URI` as const
    const path = `/_auth/oauth/${provider}/callback`
    const given = env[name] ?? `${appUrl}${path}`
    // Elsewhere the callback would find no cookie to compare the state with, and a code would leave
    // the app.
    if (isChecked && URL.parse(given)?.href !== `${appUrl}${path}`) {
      problems.push(
        `${name} must be ${appUrl}${path}, on the origin of the app URL: leave it unset`,
      )
    }
    return given
  }

  const uris = {
    google: redirectUri('google'),
    github: redirectUri('github'),
    kakao: redirectUri('kakao'),
    naver: redirectUri('naver'),
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
  return uris
}

export type RedirectUris = ReturnType<typeof readRedirectUris>

/**
 * The server as a client of a provider, if it is configured for the web. There is no other way to
 * it.
 */
export function webClient({ web }: ProviderSettings): WebClient {
  if (!web) throw new Error('The provider is not configured for sign-in on the web')
  return web
}

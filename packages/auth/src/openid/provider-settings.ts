import { defineEnv, type EnvironmentSource, list, optional } from '@svc/core'
import { readRedirectUris } from './redirect-uris.ts'
import type { BuiltinProvider } from './social-providers.ts'

/** What the server is for a provider when a browser signs in. */
export interface WebClient {
  readonly clientId: string
  readonly clientSecret?: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
}

export interface ProviderSettings {
  /** `null` where nobody signs in with it on the web. */
  readonly web: WebClient | null
  /** Whom an id token may be meant for; none where nobody signs in with it in an app. */
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
type RedirectUris = ReturnType<typeof readRedirectUris>

/** What each of the providers is configured for. */
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
    // A web client alone is no wish to be signed in from apps.
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
    // What Naver tells is chosen where the application is registered, not by scopes.
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

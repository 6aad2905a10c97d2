import { defineEnv, EnvironmentError, type EnvironmentSource, optional } from '@svc/core'
import { readAppUrl } from '../app-url.ts'

const readVariables = defineEnv({
  SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK: optional,
  SVC_AUTH_GOOGLE_REDIRECT_URI: optional,
  SVC_AUTH_GITHUB_REDIRECT_URI: optional,
  SVC_AUTH_KAKAO_REDIRECT_URI: optional,
  SVC_AUTH_NAVER_REDIRECT_URI: optional,
})

/** Where each provider sends a browser back to. */
export function readRedirectUris(source: EnvironmentSource) {
  const env = readVariables(source)
  const appUrl = readAppUrl(source)
  const isChecked = env.SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK !== 'off'
  const problems: string[] = []

  function redirectUri(provider: 'google' | 'github' | 'kakao' | 'naver') {
    const name =
      `SVC_AUTH_${provider.toUpperCase() as Uppercase<typeof provider>}_REDIRECT_URI` as const
    const path = `/_auth/oauth/${provider}/callback`
    const given = env[name] ?? `${appUrl}${path}`
    // Elsewhere the callback would find no cookie to compare the state with, and a code would leave the app.
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

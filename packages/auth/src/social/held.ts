import { appPath, defineEnv, type EnvironmentSource, type Variable, webAddress } from '@svc/core'
import type { Service, Ways } from '../capability/capability.ts'
import type { OAuthTokenCipher, Providers, RedirectUris } from '../providers/providers.ts'

export interface Opened {
  /** The providers whose users can sign in here. */
  readonly providers: Providers
  /** The application's own encryption of their tokens. Null if the keyring does it. */
  readonly tokenCipher: () => OAuthTokenCipher | null
  readonly redirectUris: RedirectUris
  /** Seals the state that a browser carries to a provider and back. */
  readonly stateKey: Uint8Array
  /** The pages to which a browser returns after a sign-in with a provider. */
  readonly resultPages: ResultPages
}

/**
 * What the functions of this folder take. Its subfolders can't import the contract that combines
 * them.
 */
export interface SocialHeld extends Service, Opened {
  readonly ways: Ways
}

/** The part of it that a function uses. */
export type SocialNeeds<Part extends keyof SocialHeld> = Pick<SocialHeld, Part>

/** A page of the app, or of another host. */
const page =
  (initial: string): Variable<string> =>
  (given) => {
    const tried = errorPage(given ?? initial, 'expired')
    return [appPath(''), webAddress].some((variable) => 'value' in variable(tried))
      ? { value: given ?? initial }
      : { problem: 'must be a path of the web app or an address such as https://app.example.com' }
  }

const readVariables = defineEnv({
  SVC_AUTH_OAUTH_SUCCESS_URL: page('/auth/callback'),
  SVC_AUTH_OAUTH_ERROR_URL: page('/auth/error?error={error}'),
})

type ResultPages = ReturnType<typeof readResultPages>

/** The pages to which a browser returns after a sign-in with a provider. */
export function readResultPages(source: EnvironmentSource) {
  const env = readVariables(source)
  return { success: env.SVC_AUTH_OAUTH_SUCCESS_URL, error: env.SVC_AUTH_OAUTH_ERROR_URL }
}

/** The page that says why a sign-in failed. */
export function errorPage(template: string, error: string) {
  // A function, because `$&` and the like would be expanded in a text.
  return template.replaceAll('{error}', () => encodeURIComponent(error))
}

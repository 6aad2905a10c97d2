import type { Cache, Clock, Db, Infrastructure, Log } from '@svc/core'
import type { Notifier } from '@svc/notification'
import type { AuthorizationServer } from './authorization-server/options.ts'
import type { KeyUse } from './caller/key-use.ts'
import type { CallerReader } from './caller/read-callers.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { PublicKeys } from './crypto/public-key-cache.ts'
import type { SignatureChecks } from './crypto/signature-checks.ts'
import type { ApplicationData } from './data-export/application-data.ts'
import type { Deletion } from './deletion/deletion-options.ts'
import type { Decisions } from './device/decisions.ts'
import type { DeviceAuth } from './device/device-auth-options.ts'
import type { AuthEnv } from './env.ts'
import type { Limits } from './limits/limits.ts'
import type { LinkMail } from './link-mail/link-mail.ts'
import type { KeptSuccessors } from './oauth2/forget-successors.ts'
import type { ClientKeys } from './oauth2-clients/client-keys.ts'
import type { RedirectUris } from './openid/redirect-uris.ts'
import type { PasswordCheck } from './passwords/password-check.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { BuiltinProviders } from './providers/registry.ts'
import type { ResultPages } from './social/browser/result-pages.ts'
import type { RelyingParty } from './webauthn/relying-party.ts'

/** What the service holds while a server runs. */
export interface Auth {
  readonly db: Db
  readonly clock: Clock
  readonly cache: Cache
  readonly log: Log
  readonly env: AuthEnv
  /** What second factors and the tokens of providers are encrypted with, where there is something. */
  readonly keyring: Keyring | null
  readonly relyingParty: RelyingParty
  /** The name that an authenticator app files an account under. */
  readonly issuer: string
  /** Where people have accounts that they sign in here with. */
  readonly providers: BuiltinProviders
  readonly redirectUris: RedirectUris
  /** Seals what a browser carries to a provider and back. */
  readonly stateKey: Uint8Array
  /** Where a browser is sent after a sign-in with a provider. */
  readonly resultPages: ResultPages
  /** What gives agents their tokens, where the application has one. */
  readonly authorizationServer: AuthorizationServer | null
  /** The answers that a refresh token may be given again. */
  readonly successors: KeptSuccessors
  readonly clientKeys: ClientKeys
  /** Where the web app is: mailed links lead there. */
  readonly appUrl: string
  readonly passwords: PasswordHasher
  /** The rules for a password that is set. Answers the form of it that is hashed. */
  readonly checkPassword: PasswordCheck
  readonly limits: Limits
  readonly notifier: Notifier
  readonly linkMail: LinkMail
  readonly callers: CallerReader
  readonly publicKeys: PublicKeys
  readonly signatures: SignatureChecks
  readonly keyUse: KeyUse
  readonly deviceAuth: DeviceAuth
  readonly deletion: Deletion
  /** What the application keeps of a user, for the export of it. */
  readonly applicationData: ApplicationData | null
  readonly decisions: Decisions
}

/** The part of Auth a function uses. Its signature lists its dependencies; its tests supply no others. */
export type Needs<Part extends keyof Auth> = Pick<Auth, Part>

const ofServer = new WeakMap<Infrastructure, Auth>()
const running: Auth[] = []

/** Makes this the service of a server, and of what an application calls without one. Answers what ends that. */
export function installAuth(server: Infrastructure, auth: Auth): () => void {
  ofServer.set(server, auth)
  running.push(auth)
  return () => {
    running.splice(running.indexOf(auth), 1)
  }
}

/** The service of the server that a request came to. */
export function authOf(server: Infrastructure): Auth {
  const auth = ofServer.get(server)
  if (auth) return auth
  throw new Error('This server has no sign-in: add .lifecycle(createAuthLifecycle()) to it.')
}

/** The service of this process, for functions that an application calls by a user's id alone. */
export function runningAuth(): Auth {
  const auth = findRunningAuth()
  if (auth) return auth
  throw new Error('No server with createAuthLifecycle() is running in this process.')
}

/** Null where no server is running. */
export function findRunningAuth(): Auth | null {
  return running.at(-1) ?? null
}

/** The service on a database: a job is told no more than that. */
export function authOn(db: Db): Auth {
  const auth = running.findLast((each) => each.db === db)
  if (auth) return auth
  throw new Error('No server with createAuthLifecycle() is running on this database.')
}

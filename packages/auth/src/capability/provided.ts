import type { Cache, Clock, Db, Log } from '@svc/core'
import type { Notifier } from '@svc/notification'
import type { Keyring } from '../crypto/keyring.ts'
import type { AuthEnv } from '../env.ts'
import type { Limits } from '../limits/limit.ts'
import type { LinkMail } from '../link-mail/link-mail.ts'
import type { PasswordCheck } from '../passwords/password-check.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { RelyingParty } from '../webauthn/relying-party.ts'
import type { RunningParts } from './account-parts.ts'

/** What every capability stands on while a server runs. */
export interface Service {
  readonly db: Db
  readonly clock: Clock
  readonly cache: Cache
  readonly log: Log
  readonly env: AuthEnv
  /** What second factors and the tokens of providers are encrypted with, where there is something. */
  readonly keyring: Keyring | null
  readonly relyingParty: RelyingParty
  /** Where the web app is: mailed links lead there. */
  readonly appUrl: string
  readonly passwords: PasswordHasher
  /** The rules for a password that is set. Answers the form of it that is hashed. */
  readonly checkPassword: PasswordCheck
  readonly notifier: Notifier
  readonly linkMail: LinkMail
  readonly limits: Limits
  /** What the capabilities of this server do with an account. */
  readonly parts: RunningParts
}

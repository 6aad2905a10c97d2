import type { Cache, Clock, Db, Log } from '@svc/core'
import type { Notifier } from '@svc/notification'
import type { ApiConfiguration } from '../configure-auth.ts'
import type { Keyring } from '../crypto/crypto.ts'
import type { AuthEnv } from '../env.ts'
import type { Limits } from '../limits/contract.ts'
import type { LinkMail } from '../link-mail/link-mail.ts'
import type { PasswordCheck, PasswordHasher } from '../passwords/passwords.ts'
import type { RelyingParty } from '../webauthn/webauthn.ts'
import type { RunningParts } from './account-parts.ts'

/** What every capability can use while a server runs. */
export interface Service {
  readonly db: Db
  readonly clock: Clock
  readonly cache: Cache
  readonly log: Log
  readonly env: AuthEnv
  /**
   * The configuration of sign-in on this server: options of its lifecycle, and what `configureAuth`
   * has set.
   */
  readonly configuration: () => ApiConfiguration
  /**
   * The keys that encrypt second factors and the tokens of providers; null if none are configured.
   */
  readonly keyring: Keyring | null
  readonly relyingParty: RelyingParty
  /** The address of the web app: mailed links lead there. */
  readonly appUrl: string
  readonly passwords: PasswordHasher
  /** The rules for a new password. Returns the form of it that is hashed. */
  readonly checkPassword: PasswordCheck
  readonly notifier: Notifier
  readonly linkMail: LinkMail
  readonly limits: Limits
  /** What the capabilities of this server do with an account. */
  readonly parts: RunningParts
  /** Roles that a route of the application lets in by name. */
  readonly rolesAtGates: ReadonlySet<string>
  /** The acts of further capabilities, which an application may write into the audit trail. */
  readonly appActs: ReadonlySet<string>
}

import type { AccountStatus } from '../accounts/account-status.ts'
import type { KeyBinding } from '../keys/key-life.ts'

/** The signed-in account, as it was in the database when this request came in. */
export interface CallerAccount {
  readonly userId: string
  readonly publicId: string
  readonly email: string | null
  readonly emailVerifiedAt: Date | null
  readonly phone: string | null
  readonly phoneVerifiedAt: Date | null
  readonly username: string | null
  readonly status: AccountStatus
  readonly passwordChangeRequired: boolean
}

/** Who signed a request. */
export interface Caller {
  readonly user: CallerAccount
  readonly userId: string
  /** Empty for a request that no device key signed. */
  readonly keyId: string
  readonly keyExpiresAt: Date | null
  /** When its owner last signed in with this device's key. */
  readonly authenticatedAt: Date | null
  /** What the key is tied to. */
  readonly binding: KeyBinding | null
  readonly role: string
  readonly rolePriority: number
  /** A role that is not grants nothing, and no gate lets it through. */
  readonly roleIsActive: boolean
  readonly permissions: readonly string[]
  readonly locale: string
  /** The account's generation when the request came in. */
  readonly generation: number
  /** Set while the account has a second factor. */
  readonly secondFactorSince: Date | null
  /** When this device last proved it. */
  readonly secondFactorProvedAt: Date | null
}

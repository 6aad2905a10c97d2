import type { AccountStatus } from '../accounts/accounts.ts'
import type { KeyAlgorithm } from '../crypto/contract.ts'
import type { Standing } from './standing.ts'

/** What binds a key: a key that is used without it ends within hours. */
export type KeyBinding = 'passkey'

/** The signed-in account, as it was in the database when this request arrived. */
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

/**
 * What signs: a device of the account's owner, or a program of theirs. A `machine` has a key, an `agent` an access token;
 * both have a part of the permissions, and nothing that goes by the role. With a `support` key an operator acts as the
 * owner.
 */
export type CallerKind = 'device' | 'machine' | 'agent' | 'support'

/** Who signed a request. */
export interface Caller {
  readonly user: CallerAccount
  readonly userId: string
  readonly kind: CallerKind
  /** The user id of the operator who acts as the owner in a support session; null for everyone else. */
  readonly actor: string | null
  /** Empty for a request that no device key signed. */
  readonly keyId: string
  readonly keyExpiresAt: Date | null
  /** When its owner last signed in with this device's key. A program's key never signs in. */
  readonly authenticatedAt: Date | null
  /** What the key is tied to. */
  readonly binding: KeyBinding | null
  /** The highest role of the owner, also if a program signs. */
  readonly role: string
  readonly rolePriority: number
  /**
   * An inactive role grants nothing, and no gate accepts it. False if none of the owner's roles is
   * active.
   */
  readonly roleIsActive: boolean
  /** All active roles of the owner, the highest first. */
  readonly roles: readonly string[]
  /** The inactive ones: a gate that is closed to one of them stays closed. */
  readonly inactiveRoles: readonly string[]
  /**
   * The permissions of this caller now. For a program, those chosen for it that its owner still
   * has.
   */
  readonly permissions: readonly string[]
  readonly locale: string
  /** The account's generation when the request arrived. */
  readonly generation: number
  /** Set while the account has a second factor. */
  readonly secondFactorSince: Date | null
  /** When this device last proved it. */
  readonly secondFactorProvedAt: Date | null
}

declare const proof: unique symbol

/** A caller of an operation whose access allows it to ask for a fresh proof. */
export type ProvableCaller = Caller & { readonly [proof]: 'possible' | 'fresh' }

/**
 * A caller with a fresh proof. Functions that register a key for a signed-in user, issue a grant or give power accept
 * no other caller, so that an operation without fresh access does not compile with them.
 */
export type FreshCaller = Caller & {
  readonly [proof]: 'fresh'
  /** The current password was correct in this call, so it is not hashed again. */
  readonly isPasswordProved?: true
}

/** An account with its roles, as requests read them. */
export interface AccountRow {
  userId: string
  publicId: string
  email: string | null
  emailVerifiedAt: Date | null
  phone: string | null
  phoneVerifiedAt: Date | null
  username: string | null
  status: AccountStatus
  passwordChangeRequired: boolean
  locale: string
  generation: number
  secondFactorSince: Date | null
  role: string
  rolePriority: number
  roleIsActive: boolean
  roles: string[]
  inactiveRoles: string[]
  /** The permissions of its active roles together. */
  permissions: string[]
}

/** A key with its account and roles. */
export interface CallerRow extends AccountRow {
  keyId: string
  kind: CallerKind
  /**
   * The permissions chosen for a program, even if its owner has fewer by now. Null for a device.
   */
  chosenPermissions: string[] | null
  /** For a support session: the operator, and the key of theirs that opened it. */
  actorId: string | null
  actorKeyId: string | null
  state: string
  publicKey: string
  algorithm: KeyAlgorithm
  keyExpiresAt: Date
  lastUsedAt: Date | null
  lastAddress: string | null
  concurrentUseAt: Date | null
  authenticatedAt: Date
  binding: KeyBinding | null
  secondFactorProvedAt: Date | null
  /** Its standing in the tenant that the request names. Null if it is no member. */
  standing?: Standing | null
}

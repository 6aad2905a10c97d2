import type { AccountStatus } from '../accounts/accounts.ts'
import type { KeyAlgorithm } from '../crypto/contract.ts'

/** What a key is tied to: where that is not at hand, it ends within hours. */
export type KeyBinding = 'passkey'

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

/**
 * What signs: a device of the account's owner, or a program of theirs. A `machine` has a key, an `agent` an access token;
 * both have a part of the permissions, and nothing that goes by the role. With a `support` key an operator acts as the
 * owner.
 */
type CallerKind = 'device' | 'machine' | 'agent' | 'support'

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
  /** The highest of the owner's, also where a program signs. */
  readonly role: string
  readonly rolePriority: number
  /** A role that is not grants nothing, and no gate lets it through. False where none of them is. */
  readonly roleIsActive: boolean
  /** All of the owner's that are active, the highest first. */
  readonly roles: readonly string[]
  /** Those that are not: a gate that is closed to one of them stays closed. */
  readonly inactiveRoles: readonly string[]
  /** What this caller may do now. Of a program: what was chosen for it, of what its owner may. */
  readonly permissions: readonly string[]
  readonly locale: string
  /** The account's generation when the request came in. */
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
  /** What its active roles grant together. */
  permissions: string[]
}

/** A key with its account and roles. */
export interface CallerRow extends AccountRow {
  keyId: string
  kind: CallerKind
  /** What was chosen for a program, even if its owner may do less by now. Null for a device. */
  chosenPermissions: string[] | null
  /** Of a support session: the operator, and the key of theirs that it was opened with. */
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
}

import type { HashProblem } from '../passwords/passwords.ts'

/** A user's account at a provider: `id` is the provider's `sub`. */
export interface ImportedAccount {
  readonly provider: string
  readonly id: string
}

/** A user of another system, read and in our forms. */
export interface ImportedUser {
  /** The id in the other system. A repeated import finds the user by it. */
  readonly externalId?: string
  readonly email?: string
  readonly emailVerified: boolean
  readonly phone?: string
  readonly phoneVerified: boolean
  readonly username?: string
  readonly displayName?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly avatarUrl?: string
  readonly locale?: string
  readonly createdAt?: Date
  readonly role: string
  readonly suspended: boolean
  readonly passwordHash?: string
  readonly accounts: readonly ImportedAccount[]
  /** What could not be imported, by the name of the member, or of the provider. */
  readonly left: readonly string[]
}

/** Why a row is refused. */
export type RefusalReason =
  | 'unreadable'
  | 'email_invalid'
  | 'phone_invalid'
  | 'no_way_in'
  | 'not_a_person'
  | 'deleted'
  | 'role_unknown'
  | 'phone_taken'
  | 'id_taken'
  | 'id_invalid'
  | 'id_ambiguous'
  | 'flag_unknown'
  | 'account_taken'
  | 'hash_parameters_missing'
  | HashProblem

/** A row of an export: its line, and its user, or why it has none. */
export interface ImportRow {
  readonly line: number
  readonly user: ImportedUser | RefusalReason
}

/** What happened to a row. */
export interface ImportedRow {
  readonly line: number
  readonly outcome: 'created' | 'exists' | 'refused'
  readonly reason?: RefusalReason
  readonly userId?: string
  readonly externalId?: string
  readonly email?: string
  readonly left?: readonly string[]
}

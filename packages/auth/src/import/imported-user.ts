import type { HashProblem } from '../passwords/passwords.ts'

/** An account of a person at a provider: `id` is what the provider calls them, its `sub`. */
export interface ImportedAccount {
  readonly provider: string
  readonly id: string
}

/** A person as another system knew them, read and in our forms. */
export interface ImportedUser {
  /** What the other system called them. An import of the same again finds them by it. */
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
  /** What could not come along, by the name of the member, or of the provider. */
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

/** A row of an export: its line, and the person in it, or why it names none. */
export interface ImportRow {
  readonly line: number
  readonly user: ImportedUser | RefusalReason
}

/** What became of a row. */
export interface ImportedRow {
  readonly line: number
  readonly outcome: 'created' | 'exists' | 'refused'
  readonly reason?: RefusalReason
  readonly userId?: string
  readonly externalId?: string
  readonly email?: string
  readonly left?: readonly string[]
}

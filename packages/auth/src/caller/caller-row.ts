import type { AccountStatus } from '../accounts/account-status.ts'
import type { KeyAlgorithm } from '../crypto/key-algorithm.ts'
import type { CallerKind, KeyBinding } from './caller.ts'

/** An account with its role, as requests read them. */
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
  permissions: string[]
}

/** A key with its account and role. */
export interface CallerRow extends AccountRow {
  keyId: string
  kind: CallerKind
  /** What was chosen for a program, whatever its owner may do by now; null for a device. */
  chosenPermissions: string[] | null
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

export const accountColumns = `
  u.user_id as "userId", u.public_id as "publicId", u.email, u.email_verified_at as "emailVerifiedAt",
  u.phone, u.phone_verified_at as "phoneVerifiedAt", u.username, u.status,
  u.password_change_required as "passwordChangeRequired", u.locale, u.generation,
  u.second_factor_since as "secondFactorSince",
  r.name as role, r.priority as "rolePriority", r.is_active as "roleIsActive",
  case when r.is_active then r.permissions else '{}' end as permissions`

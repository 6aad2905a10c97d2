import type { Caller } from './caller.ts'
import type { AccountRow, CallerRow } from './caller-row.ts'

/** Member by member: what a handler may answer as it is must not have the key's in it. */
export function callerFrom(row: AccountRow & Partial<CallerRow>): Caller {
  return {
    user: {
      userId: row.userId,
      publicId: row.publicId,
      email: row.email,
      emailVerifiedAt: row.emailVerifiedAt,
      phone: row.phone,
      phoneVerifiedAt: row.phoneVerifiedAt,
      username: row.username,
      status: row.status,
      passwordChangeRequired: row.passwordChangeRequired,
    },
    userId: row.userId,
    keyId: row.keyId ?? '',
    keyExpiresAt: row.keyExpiresAt ?? null,
    authenticatedAt: row.authenticatedAt ?? null,
    binding: row.binding ?? null,
    role: row.role,
    rolePriority: row.rolePriority,
    roleIsActive: row.roleIsActive,
    permissions: row.permissions,
    locale: row.locale,
    generation: row.generation,
    secondFactorSince: row.secondFactorSince,
    secondFactorProvedAt: row.secondFactorProvedAt ?? null,
  }
}

import type { Caller } from './caller.ts'
import type { AccountRow, CallerRow } from './caller-row.ts'

/** Member by member: what a handler may answer as it is must not have the key's in it. */
export function callerFrom(row: AccountRow & Partial<CallerRow>): Caller {
  const { kind = 'device' } = row
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
    kind,
    keyId: row.keyId ?? '',
    keyExpiresAt: row.keyExpiresAt ?? null,
    authenticatedAt: kind === 'device' ? (row.authenticatedAt ?? null) : null,
    binding: row.binding ?? null,
    role: row.role,
    rolePriority: row.rolePriority,
    roleIsActive: row.roleIsActive,
    permissions: permittedTo(row),
    locale: row.locale,
    generation: row.generation,
    secondFactorSince: row.secondFactorSince,
    secondFactorProvedAt: row.secondFactorProvedAt ?? null,
  }
}

/** Those of the account, now; of a program, the ones among them that were chosen for it. */
function permittedTo({
  kind = 'device',
  permissions,
  chosenPermissions,
}: AccountRow & Partial<CallerRow>) {
  if (kind === 'device') return permissions
  return permissions.filter((name) => chosenPermissions?.includes(name))
}

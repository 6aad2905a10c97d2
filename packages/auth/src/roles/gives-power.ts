import { ownAccount } from './builtin-roles.ts'
import type { Role } from './hold-role.ts'

/** Roles that a gate of the application allows by name. */
const namedByGates = new Set<string>()

export function nameGate(names: readonly string[]) {
  for (const name of names) namedByGates.add(name)
}

/** The role that every account has by default. */
const everyones = 'user'

/** Whether users with the role may do more than manage their own account. */
export function givesPower({ name, isBuiltin, permissions }: Role) {
  if (permissions.some((permission) => permission !== ownAccount)) return true
  return name !== everyones && (isBuiltin || namedByGates.has(name))
}

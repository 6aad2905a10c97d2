import { ownAccount } from './builtin-roles.ts'
import type { Role } from './hold-role.ts'

/** Roles that a gate of the application lets in by their name alone. */
const namedByGates = new Set<string>()

export function nameGate(names: readonly string[]) {
  for (const name of names) namedByGates.add(name)
}

/** What every account has unless somebody gives it another role. */
const everyones = 'user'

/** Whether somebody who has the role may do more than look after their own account. */
export function givesPower({ name, isBuiltin, permissions }: Role) {
  if (permissions.some((permission) => permission !== ownAccount)) return true
  return name !== everyones && (isBuiltin || namedByGates.has(name))
}

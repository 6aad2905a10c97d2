import type { ServerDefinition } from '@svc/core'
import { callNamed } from './call/call.ts'
import { CommandFailure } from './failure.ts'
import type { Flags } from './flags.ts'

/** A role, as `listRoles` has it. */
export interface Role {
  roleId: string
  name: string
  displayName: string
  priority: number
  isActive: boolean
  permissions: string[]
}

/** The role of a name or an id. */
export async function findRole(
  definition: ServerDefinition,
  flags: Flags,
  wanted: string,
): Promise<Role> {
  const answer = await callNamed(definition, { flags, name: 'listRoles', input: {} })
  const { roles } = answer as { roles: Role[] }
  const role = roles.find(({ name, roleId }) => name === wanted || roleId === wanted)
  if (role) return role
  throw new CommandFailure(`There is no role "${wanted}". "svc roles list" has them all.`)
}

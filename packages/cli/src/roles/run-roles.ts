import type { ServerDefinition } from '@svc/core'
import type { Application } from '../application/application.ts'
import { callNamed } from '../call/call.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { findRole, type Role } from '../find-role.ts'
import { type Flags, flags as known } from '../flags.ts'
import { printJson, printTable, printText } from '../print-answer.ts'
import { printable } from '../terminal.ts'

export async function listRoles({ definition }: Application, flags: Flags) {
  const answer = await callNamed(definition, { flags, name: 'listRoles', input: {} })
  if (flags.output === 'json') return printJson(answer)
  const { roles } = answer as { roles: Role[] }
  printTable(
    ['Role', 'Name', 'Priority', 'May'],
    roles.map((role) => [
      role.isActive ? role.name : `${role.name} (inactive)`,
      role.displayName,
      String(role.priority),
      role.permissions.join(', '),
    ]),
  )
  return 0
}

export async function createRole({ definition }: Application, flags: Flags, name: string) {
  const body = { name, displayName: name, ...fieldsOf(flags) }
  const answer = await callNamed(definition, { flags, name: 'createAdminRole', input: { body } })
  return printRole(flags, answer, 'is created')
}

export async function updateRole({ definition }: Application, flags: Flags, wanted: string) {
  const body = { ...fieldsOf(flags), ...(flags['role-name'] && { name: flags['role-name'] }) }
  if (Object.keys(body).length === 0) {
    throw new UsageError(
      'This changes nothing: give --name, --display-name, --description, --priority or --permissions.',
    )
  }
  const role = await findRole(definition, flags, wanted)
  return change(definition, { flags, role, body })
}

export async function grant({ definition }: Application, flags: Flags, wanted: string) {
  const given = permissionsOf(flags)
  const role = await findRole(definition, flags, wanted)
  const body = { permissions: [...new Set([...role.permissions, ...given])] }
  return change(definition, { flags, role, body })
}

export async function revoke({ definition }: Application, flags: Flags, wanted: string) {
  const taken = permissionsOf(flags)
  const role = await findRole(definition, flags, wanted)
  const missing = taken.find((name) => !role.permissions.includes(name))
  if (missing !== undefined) {
    // An API says what it likes, and the terminal must not be steered by it.
    throw new CommandFailure(
      printable(`${role.name} does not have the permission "${missing}". It may: ${may(role)}.`),
    )
  }
  const body = { permissions: role.permissions.filter((name) => !taken.includes(name)) }
  return change(definition, { flags, role, body })
}

export async function deleteRole({ definition }: Application, flags: Flags, wanted: string) {
  const { roleId, name } = await findRole(definition, flags, wanted)
  const input = { params: { roleId } }
  await callNamed(definition, { flags, name: 'deleteAdminRole', input })
  if (flags.output === 'json') return printJson({ roleId, name })
  return printText(`${name} is deleted.`)
}

interface Change {
  flags: Flags
  role: Role
  body: object
}

async function change(definition: ServerDefinition, { flags, role: { roleId }, body }: Change) {
  const input = { params: { roleId }, body }
  const answer = await callNamed(definition, { flags, name: 'updateAdminRole', input })
  return printRole(flags, answer, 'is changed')
}

function fieldsOf(flags: Flags) {
  const { 'display-name': displayName, description, priority } = flags
  return {
    ...(displayName && { displayName }),
    ...(description && { description }),
    ...(priority && { priority: Number(priority) }),
    ...(flags.permissions && { permissions: permissionsOf(flags) }),
  }
}

function permissionsOf({ permissions }: Flags) {
  if (permissions) return permissions.split(',')
  throw new UsageError(`This needs permissions: --permissions ${known.permissions.value}`)
}

function printRole(flags: Flags, answer: unknown, done: string) {
  if (flags.output === 'json') return printJson(answer)
  const { role } = answer as { role: Role }
  return printText(`${role.name} ${done}. It may: ${may(role)}.`)
}

function may({ permissions }: Role) {
  return permissions.join(', ') || 'nothing'
}

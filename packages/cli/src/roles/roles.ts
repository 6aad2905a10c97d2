import type { Command } from '../command.ts'
import type { FlagName } from '../flags.ts'

const group = 'Call the API'
const everywhere = ['output', 'api', 'server'] as const satisfies FlagName[]
const fields = ['display-name', 'description', 'priority', 'permissions'] as const

const superadmins = `You need to be a superadmin. It asks for a fresh proof of you: your password, or the code of your
authenticator app.`

/** What superadmins do with roles, from a terminal. "svc users" gives them to users. */
export const roleCommands: Record<string, Command> = {
  'roles list': {
    group,
    summary: 'List the roles, and what each may do',
    details: 'You need to be a superadmin.',
    flags: [...everywhere],
    run: async (application, given) =>
      (await import('./run-roles.ts')).listRoles(application, given),
  },
  'roles create': {
    group,
    summary: 'Create a role',
    details: `Its name has letters, digits, ".", "_" and "-". A role ranks by its priority, which is 10 unless
you give one. You can grant only what you hold yourself.

${superadmins}`,
    flags: [...fields, ...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts')).createRole(application, given, role),
  },
  'roles update': {
    group,
    summary: 'Change what a role is called, its priority or its permissions',
    details: `Changes what you give. --permissions replaces all permissions of the role: "svc roles grant" and
"svc roles revoke" change some. A built-in role keeps its name and its priority.

${superadmins}`,
    flags: ['role-name', ...fields, ...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts')).updateRole(application, given, role),
  },
  'roles grant': {
    group,
    summary: 'Add permissions to a role',
    details: `Users who have the role may do it from their next request on.

${superadmins}`,
    flags: ['permissions', ...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts')).grant(application, given, role),
  },
  'roles revoke': {
    group,
    summary: 'Take permissions from a role',
    details: `Users who have the role may no longer do it from their next request on, unless another role of
theirs allows it.

${superadmins}`,
    flags: ['permissions', ...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts')).revoke(application, given, role),
  },
  'roles delete': {
    group,
    summary: 'Delete a role that no user has',
    details: `"svc users list --role" finds the users of a role.

${superadmins}`,
    flags: [...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts')).deleteRole(application, given, role),
  },
}

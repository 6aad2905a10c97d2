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
  'roles create': changing('createRole', {
    summary: 'Create a role',
    about: `Its name has letters, digits, ".", "_" and "-". A role ranks by its priority, which is 10 unless
you give one. You can grant only what you hold yourself.`,
    flags: fields,
  }),
  'roles update': changing('updateRole', {
    summary: 'Change what a role is called, its priority or its permissions',
    about: `Changes what you give. --permissions replaces all permissions of the role: "svc roles grant" and
"svc roles revoke" change some. A built-in role keeps its name and its priority.`,
    flags: ['role-name', ...fields],
  }),
  'roles grant': changing('grant', {
    summary: 'Add permissions to a role',
    about: 'Users who have the role may do it from their next request on.',
    flags: ['permissions'],
  }),
  'roles revoke': changing('revoke', {
    summary: 'Take permissions from a role',
    about: `Users who have the role may no longer do it from their next request on, unless another role of
theirs allows it.`,
    flags: ['permissions'],
  }),
  'roles delete': changing('deleteRole', {
    summary: 'Delete a role that no user has',
    about: '"svc users list --role" finds the users of a role.',
    flags: [],
  }),
}

type Change = 'createRole' | 'updateRole' | 'grant' | 'revoke' | 'deleteRole'

interface Told {
  summary: string
  about: string
  flags: readonly FlagName[]
}

function changing(change: Change, { summary, about, flags }: Told): Command {
  return {
    group,
    summary,
    details: `${about}\n\n${superadmins}`,
    flags: [...flags, ...everywhere],
    argument: '<role>',
    run: async (application, given, role) =>
      (await import('./run-roles.ts'))[change](application, given, role),
  }
}

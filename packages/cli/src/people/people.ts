import type { Command } from '../command.ts'
import type { FlagName } from '../flags.ts'
import { type Act, acts } from './acts.ts'

const group = 'Call the API'
const everywhere = ['output', 'api', 'server'] as const satisfies FlagName[]

/** What operators do for users, from a terminal. Each is an operation that the console has too. */
export const peopleCommands: Record<string, Command> = {
  'users list': {
    group,
    summary: 'Find users by address, number, name, role or status',
    details: `Lists those for whom all of it is so, 20 at a time; --after goes on where a list has ended. You
need the permission user:read.`,
    flags: ['email', 'phone', 'user-name', 'role', 'status', 'limit', 'after', ...everywhere],
    run: async (application, given) =>
      (await import('./run-people.ts')).listUsers(application, given),
  },
  'users show': {
    group,
    summary: 'Show a user: devices, second factor, ways to sign in, what waits',
    details: 'You need the permission user:read.',
    flags: [...everywhere],
    argument: '<user>',
    run: async (application, given, user) =>
      (await import('./run-people.ts')).showUser(application, given, user),
  },
  ...Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [`users ${name}`, commandOf(act)]),
  ),
  'audit list': {
    group,
    summary: 'List what was done, and by which account',
    details: `The newest first, 20 on a page. You need the permission audit:read. "svc audit export" prints
all of it from the database.`,
    flags: ['act', 'actor', 'target', 'from-time', 'to-time', 'limit', 'page', ...everywhere],
    run: async (application, given) =>
      (await import('./run-people.ts')).listAudit(application, given),
  },
}

function commandOf(act: Act): Command {
  return {
    group,
    summary: act.summary,
    details: `The user is a user id, a public id or a whole address. ${act.needs} It asks for a fresh proof of
you: your password, or a code of your authenticator app.`,
    flags: [...act.flags, ...everywhere],
    argument: '<user>',
    run: async (application, given, user) =>
      (await import('./run-people.ts')).actOn(application, { flags: given, user, act }),
  }
}

import type { Command } from '../command.ts'
import type { FlagName } from '../flags.ts'
import { type Act, acts } from './acts.ts'

const group = 'Call the API'
const everywhere = ['output', 'api', 'server'] as const satisfies FlagName[]

/** What operators do for organizations, from a terminal. The console has the same. */
export const organizationCommands: Record<string, Command> = {
  'organizations list': {
    group,
    summary: 'Find organizations by name, slug, member or state',
    details: `Lists those for which all of it is so, 20 at a time; --after goes on where a list has ended. The
newest is first, unless you search for a name or a slug. --member is a user id or a whole address.
You need the permission organization:read, and user:read for an address.`,
    flags: [
      'organization-name',
      'slug',
      'member',
      'organization-state',
      'limit',
      'after',
      ...everywhere,
    ],
    run: async (application, given) =>
      (await import('./run-organizations.ts')).listOrganizations(application, given),
  },
  'organizations show': {
    group,
    summary: 'Show an organization: its state, members and owners',
    details: `The organization is an id or a whole slug. It lists at most 20 owners. You need the permission
organization:read, and user:read to see addresses.`,
    flags: [...everywhere],
    argument: '<organization>',
    run: async (application, given, organization) =>
      (await import('./run-organizations.ts')).showOrganization(application, given, organization),
  },
  ...Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [`organizations ${name}`, commandOf(act)]),
  ),
}

function commandOf(act: Act): Command {
  return {
    group,
    summary: act.summary,
    details: `The organization is an id or a whole slug. ${act.about} You need
the permissions organization:read and organization:manage. It asks for a fresh proof of you: your
password, or a code of your authenticator app.`,
    flags: [...act.flags, ...everywhere],
    argument: '<organization>',
    run: async (application, given, organization) =>
      (await import('./run-organizations.ts')).actOn(application, {
        flags: given,
        organization,
        act,
      }),
  }
}

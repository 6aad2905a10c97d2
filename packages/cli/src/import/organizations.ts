import type { ServerDefinition } from '@svc/core'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { runImport } from './run-import.ts'

/** The words of the report, explained for a person. */
const meanings: Record<string, string> = {
  unreadable:
    'the record cannot be read: check that the file has the form that --from expects, and that no line is cut off',
  id_invalid:
    'the id of the organization or the team is missing, longer than 255 characters, or not a text or a whole number that JSON holds exactly, or the team has no name',
  id_taken: 'an organization that was not imported from this system has this id',
  user_unknown:
    'no account was imported with this id, and none has proved this address: import the users first',
  role_unknown:
    'the organization has no such role: say with --roles which of owner, admin and member it is, or create it and import again',
  closed: 'the organization was imported before, and is closed',
  full: 'the organization has as many members or teams as it may have, or the member is in as many teams',
  left_since:
    'it was imported before, and has left or was removed since: invite the member, or create the team',
  organization_unknown: 'no row has a member of the organization of this team',
  team_unknown: 'no row has this team, or it was refused',
  not_a_member: 'the user is in the team, and not in the organization',
  owner_refused:
    'the organization has no owner, because the row with its owner was refused: correct it, and import again',
}

/** Imports the organizations of an export. The exit code is 1 if a row was refused. */
export async function importOrganizations(given: string, flags: Flags): Promise<number> {
  return runImport(given, flags, {
    importerOf,
    meanings,
    from: flags['organizations-from'] ?? 'own',
    options: { 'role-names': flags['role-names'] },
  })
}

function importerOf({ settings }: ServerDefinition) {
  const run = settings.lifecycles.flatMap(({ imports }) => imports?.['organizations'] ?? [])[0]
  if (run) return run
  throw new CommandFailure(
    'This application has no organizations. Add organizations() from @svc/organizations/server to the capabilities of its server definition.',
  )
}

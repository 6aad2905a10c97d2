import { readFile } from 'node:fs/promises'
import type { ServerDefinition } from '@svc/core'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { exportFile } from './export-file.ts'
import { runImport } from './run-import.ts'

/** The words of the report, explained for a person. */
const meanings: Record<string, string> = {
  unreadable:
    'the record cannot be read: an open quotation mark, a wrong number of columns, or invalid JSON',
  email_invalid: 'the email address is not valid',
  phone_invalid: 'the number has no country code: write it like +12025550123',
  no_way_in:
    'no email address, phone number or linked account to sign in with: check that the columns have the names that --from expects',
  not_a_person: 'a guest, or the account of a program',
  deleted: 'deleted in the other system',
  role_unknown:
    'no role has this name: create it, and if the server has never run, start it once to create the built-in roles',
  id_taken: 'another account, with another address, has this id',
  id_invalid:
    'an id is missing, longer than 255 characters, or not a text or a whole number that JSON holds exactly',
  id_ambiguous: 'another row has the same id, so their accounts cannot be told apart',
  flag_unknown:
    'a yes-or-no column has another value, or a status is not active, suspended or deleted',
  phone_taken: 'another account has this phone number',
  account_taken: 'the linked account belongs to another account here',
  hash_parameters_missing: 'a Firebase password: add --firebase-hash-config',
  hash_unknown: 'the password hash has an unknown format',
  hash_malformed: 'the password hash is incomplete',
  hash_too_costly: 'the password hash takes too much time or memory to check',
  hash_needs_newer_node:
    'the password hash is Argon2, which needs Node 24.7 or newer, here and on the server',
}

/** Imports the people of an export. The exit code is 1 if a row was refused. */
export async function importUsers(given: string, flags: Flags): Promise<number> {
  const firebase = await hashConfig(flags)
  return runImport(given, flags, {
    importerOf,
    meanings,
    from: systemOf(flags),
    options: { firebase, 'emails-verified': flags['emails-verified'] },
  })
}

/** `csv` and `jsonl` mean our own format. */
function systemOf({ from = 'own' }: Flags) {
  return from === 'csv' || from === 'jsonl' ? 'own' : from
}

async function hashConfig({ 'firebase-hash-config': file }: Flags) {
  if (file === undefined) return undefined
  return readFile(await exportFile(file), 'utf8')
}

function importerOf({ settings }: ServerDefinition) {
  const run = settings.lifecycles.find(({ importUsers: has }) => has)?.importUsers
  if (run) return run
  throw new CommandFailure(
    'This application has no accounts. Add .lifecycle(createAuthLifecycle()) from @svc/auth/server to its server definition.',
  )
}

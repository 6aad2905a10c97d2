import type { UserImport } from '@svc/core'
import { readUsernameRules } from '../env.ts'
import type { FirebaseParameters } from '../passwords/passwords.ts'
import { csvRecords } from './csv.ts'
import type { Format, FormatContext } from './formats/format.ts'
import { formats } from './formats/formats.ts'
import { importUsers } from './import-users.ts'
import type { ImportRow } from './imported-user.ts'
import { jsonlRecords, jsonRecords } from './json.ts'
import { type ReadingRules, readUser } from './read-user.ts'
import { fieldsOf } from './records.ts'

export { csvRecords } from './csv.ts'
export { importersOf } from './importers.ts'

/**
 * `svc users import` runs this. It starts no server, and reads no variables but the rules for
 * usernames.
 */
export function importExport({
  database,
  clock,
  text,
  container,
  from,
  dryRun,
  options,
}: UserImport) {
  const format = formats.get(from)
  if (!format) throw new Error(`The system ${from} is unknown. Use one of ${listed(formats)}.`)
  const rules = {
    usernames: readUsernameRules(),
    emailsVerified: options['emails-verified'] === true,
  }
  const context = { firebase: firebaseParameters(options), now: clock.now() }
  const rows = readExport(text, { container, format, rules, ...context })
  return importUsers({ db: database.db, clock }, rows, { source: from, dryRun })
}

function listed(named: ReadonlyMap<string, unknown>) {
  return [...named.keys()].join(', ')
}

/** The block `hash_config` as the Firebase console shows it, copied into a file. */
function firebaseParameters({ firebase }: UserImport['options']): FirebaseParameters | null {
  if (typeof firebase !== 'string') return null
  const entries = [...firebase.matchAll(/(\w+):\s*"?([\w+/=-]+)/g)]
  const facts = new Map(entries.map(([, name, value]) => [name, value]))
  const signerKey = facts.get('base64_signer_key')
  const [rounds, memCost] = ['rounds', 'mem_cost'].map((name) => Number(facts.get(name)))
  if (facts.get('algorithm') !== 'SCRYPT' || !signerKey || !rounds || !memCost) {
    throw new Error(
      'These are not the password hash parameters of Firebase. Copy the whole block "hash_config" from its console.',
    )
  }
  const saltSeparator = facts.get('base64_salt_separator') ?? ''
  return { signerKey, saltSeparator, rounds, memCost }
}

const containers = { csv: csvRecords, jsonl: jsonlRecords, json: jsonRecords }

interface Reading extends FormatContext {
  container: keyof typeof containers
  format: Format
  rules: ReadingRules
}

/** The users of an export, row by row. Their values are validated before the database is read. */
export async function* readExport(
  text: AsyncIterable<string>,
  { container, format, rules, ...context }: Reading,
): AsyncGenerator<ImportRow> {
  for await (const { line, record } of containers[container](text)) {
    const given = typeof record === 'string' ? record : format(fieldsOf(record), context)
    yield { line, user: typeof given === 'string' ? given : readUser(given, rules) }
  }
}

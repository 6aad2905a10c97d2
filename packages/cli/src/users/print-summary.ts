import { aligned, paint } from '../terminal.ts'
import type { Counts } from './count-outcomes.ts'

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

interface Told {
  isDry: boolean
  report: string | undefined
}

/**
 * How many of each, and where to look. Of a row only its line number: a terminal is visible to
 * others, and logged.
 */
export function printSummary(counts: Counts, { isDry, report }: Told) {
  if (counts.created + counts.exists + counts.refused.size === 0)
    console.log('The file has no rows.')
  const refused = [...counts.refused.values()].reduce((sum, { count }) => sum + count, 0)
  const rows = [
    [paint('green', isDry ? 'would be created' : 'created'), String(counts.created)],
    ['existed already', String(counts.exists)],
    [refused > 0 ? paint('red', 'refused') : 'refused', String(refused)],
  ]
  console.log(aligned(rows).map(joined).join('\n'))
  for (const [reason, { count, lines }] of counts.refused) {
    console.log(
      `\n${reason}: ${count}\n  ${meanings[reason] ?? reason}\n  ${placesOf(lines, count)}`,
    )
  }
  if (counts.left.size > 0) console.log(`\n${leftBehind(counts)}`)
  if (report !== undefined) console.log(`\nresult of each row: ${report}`)
  if (isDry) console.log('\nThis was a dry run: nothing was changed.')
}

const joined = (row: string[]) => row.join('   ')

function placesOf(lines: readonly number[], count: number) {
  const more = count > lines.length ? ', …' : ''
  return `${lines.length === 1 && count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

function leftBehind({ left }: Counts) {
  const parts = [...left].map(([name, count]) => `${harmless(name)} of ${count}`)
  return `not imported for the created accounts: ${parts.join(', ')}`
}

/** The name of a provider comes from the export. */
function harmless(text: string) {
  return text.replace(/[^\w.-]/g, '')
}

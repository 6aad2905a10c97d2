import { aligned, paint } from '../terminal.ts'
import type { Counts } from './count-outcomes.ts'

/** The words of the report, explained for a person. */
const meanings: Record<string, string> = {
  unreadable:
    'not a record: a quotation mark without its other, a wrong number of columns, no JSON',
  email_invalid: 'the address is no email address',
  phone_invalid: 'the number has no country code, such as +12025550123',
  no_way_in:
    'no address, no number and no account elsewhere to sign in with: have the columns the names that --from has?',
  not_a_person: 'a guest, or an account of a program',
  deleted: 'deleted there',
  role_unknown: 'there is no role of that name here; roles are there once the server has started',
  id_taken: 'the id belongs to somebody with another address',
  id_invalid:
    'an id is missing, longer than 255 characters, or no text and no whole number that JSON holds exactly',
  id_ambiguous: 'another row has the id too, so that their accounts cannot be told apart',
  flag_unknown:
    'a column of yes or no has something else, or a status is neither active, suspended nor deleted',
  phone_taken: "the number is another account's",
  account_taken: "the account elsewhere is another account's",
  hash_parameters_missing: 'a password of Firebase: give --firebase-hash-config',
  hash_unknown: 'the password is stored in a form that is not known here',
  hash_malformed: 'the stored password is not whole',
  hash_too_costly: 'the stored password would take too long, or too much memory, to check',
  hash_needs_newer_node:
    'the password is Argon2: it takes Node 24.7 or newer, here and for the server',
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
    ['were there already', String(counts.exists)],
    [refused > 0 ? paint('red', 'refused') : 'refused', String(refused)],
  ]
  console.log(aligned(rows).map(joined).join('\n'))
  for (const [reason, { count, lines }] of counts.refused) {
    console.log(
      `\n${reason}: ${count}\n  ${meanings[reason] ?? reason}\n  ${placesOf(lines, count)}`,
    )
  }
  if (counts.left.size > 0) console.log(`\n${leftBehind(counts)}`)
  if (report !== undefined) console.log(`\nwhat became of each row: ${report}`)
  if (isDry) console.log('\nThis was a dry run: nothing has changed.')
}

const joined = (row: string[]) => row.join('   ')

function placesOf(lines: readonly number[], count: number) {
  const more = count > lines.length ? ', …' : ''
  return `${lines.length === 1 && count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

function leftBehind({ left }: Counts) {
  const parts = [...left].map(([name, count]) => `${harmless(name)} of ${count}`)
  return `left out of accounts that were created: ${parts.join(', ')}`
}

/** The name of a provider comes from the export. */
function harmless(text: string) {
  return text.replace(/[^\w.-]/g, '')
}

import { isObject } from '../is-object.ts'
import {
  type Fields,
  fieldsOf,
  type GivenRecord,
  idOf,
  listOf,
  longestRecord,
  objectOf,
} from './records.ts'

/** The most that is loaded whole. */
const longestDocument = 2 ** 28

/** A whole document. A record's line is its number. */
export async function* jsonRecords(
  text: AsyncIterable<string>,
  recordsOf: (document: unknown) => readonly GivenRecord['record'][] = usersOf,
): AsyncGenerator<GivenRecord> {
  const records = recordsOf(await parsed(text))
  for (const [index, record] of records.entries()) yield { line: index + 1, record }
}

/** A list of users, a document with them under `users`, or one with a table of users and one of their accounts. */
function usersOf(document: unknown) {
  return Array.isArray(document) ? document.flatMap(peopleOf) : peopleOf(document)
}

async function parsed(text: AsyncIterable<string>): Promise<unknown> {
  let whole = ''
  for await (const piece of text) {
    whole += piece
    if (whole.length > longestDocument) throw new Error(tooLarge)
  }
  try {
    return JSON.parse(whole.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's own message would repeat part of the file.
    throw new Error('The file is not valid JSON. If each line is a record, name it .jsonl.')
  }
}

const tooLarge =
  "The file is too large to be read as one document: write one record a line, such as jq -c '.users[]' export.json > export.jsonl"

type Person = GivenRecord['record']

/** Several realms are a list of documents, and users are a list too. */
function peopleOf(document: unknown): Person[] {
  if (!isObject(document)) return ['unreadable']
  const fields = fieldsOf(document)
  const people = fields('users', 'user')
  if (!Array.isArray(people)) return [onePerson(document, fields)]
  const records = people.map((person) => (isObject(person) ? person : 'unreadable'))
  const accounts = listOf(fields('accounts', 'account'))
  return accounts.length === 0 ? records : withAccounts(records, accounts)
}

/** A realm of Keycloak that was exported from its admin console has everything but its users. */
function onePerson(document: object, fields: Fields) {
  if (fields('realm') === undefined) return document
  throw new Error(
    'This realm has no users in it. Export it with "kc.sh export --users realm_file".',
  )
}

/**
 * Both sides match by the text of a usable id: no user may get the accounts, and so the password,
 * of another.
 */
function withAccounts(people: readonly Person[], accounts: readonly object[]) {
  const byUser = Map.groupBy(accounts, ownerOf)
  const namesakes = Map.groupBy(people.filter(isObject), personId)
  return people.map((person) => {
    if (typeof person === 'string') return person
    const id = personId(person)
    if (id === null) return 'id_invalid'
    const isAmbiguous = namesakes.get(id)?.length !== 1
    return isAmbiguous ? 'id_ambiguous' : { ...person, accounts: byUser.get(id) ?? [] }
  })
}

const personId = (person: object) => idOf(fieldsOf(person)('id')) ?? null

function ownerOf(account: object, index: number) {
  const id = idOf(fieldsOf(account)('userId'))
  if (id) return id
  throw new Error(
    `Account number ${index + 1} belongs to no user: its userId is missing or is not an id. Write ids as text.`,
  )
}

/** One JSON object on each line. */
export async function* jsonlRecords(text: AsyncIterable<string>): AsyncGenerator<GivenRecord> {
  let rest = ''
  let line = 0
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    // If a line is too long anyway, only enough of it is kept to see that.
    rest = (lines.pop() ?? '').slice(0, longestRecord + 1)
    for (const each of lines) {
      line += 1
      yield* recordOf(line, each)
    }
  }
  yield* recordOf(line + 1, rest)
}

function* recordOf(line: number, written: string): Generator<GivenRecord> {
  const text = written.replace(/^\uFEFF/, '').trim()
  if (text === '') return
  const record = text.length > longestRecord ? null : objectOf(text)
  yield { line, record: record ?? 'unreadable' }
}

import { fieldsOf, type GivenRecord, isRecord, listOf } from './records.ts'

/** As much as is loaded whole. */
const longestDocument = 2 ** 28

/**
 * A whole document: a list of people, one with them under `users`, or one with a table of people and one of their
 * accounts. A record's line is its number.
 */
export async function* jsonRecords(text: AsyncIterable<string>): AsyncGenerator<GivenRecord> {
  const document = await parsed(text)
  const people = Array.isArray(document) ? document.flatMap(peopleOf) : peopleOf(document)
  for (const [index, record] of people.entries()) {
    yield { line: index + 1, record: isRecord(record) ? record : null }
  }
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
    // What the parser says of it would repeat a part of it.
    throw new Error('The file is not valid JSON. Where each line is a record, name it .jsonl.')
  }
}

const tooLarge =
  "The file is too large to be read as one document: write one record a line, such as jq -c '.users[]' export.json > export.jsonl"

/** Several realms are a list of documents, and people are a list too. */
function peopleOf(document: unknown): unknown[] {
  if (!isRecord(document)) return [document]
  const fields = fieldsOf(document)
  const people = fields('users', 'user')
  if (!Array.isArray(people)) return [document]
  const accounts = listOf(fields('accounts', 'account'))
  return accounts.length === 0 ? people : withAccounts(people, accounts)
}

function withAccounts(people: readonly unknown[], accounts: readonly object[]) {
  const byUser = Map.groupBy(accounts, (account) => String(fieldsOf(account)('userId')))
  return people.map((person) => {
    if (!isRecord(person)) return person
    return { ...person, accounts: byUser.get(String(fieldsOf(person)('id'))) ?? [] }
  })
}

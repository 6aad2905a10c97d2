import { formats } from '../formats/formats.ts'
import { readExport } from '../import.ts'
import { collected, inPieces, lines } from './import.ts'

export const rules = {
  usernames: {
    SVC_AUTH_RESERVED_USERNAMES: ['admin'],
    SVC_AUTH_USERNAME_MIN_LENGTH: 3,
    SVC_AUTH_USERNAME_MAX_LENGTH: 30,
  },
  emailsVerified: false,
}

/** What a reading knows beside the file. */
export const context = { rules, firebase: null, now: new Date('2026-01-01T00:00:00Z') }

/** What is read of the people in a file of that system. */
export async function people(from: string, text: string, container: 'jsonl' | 'json' = 'jsonl') {
  const format = formats.get(from)
  if (!format) throw new Error(`There is no format ${from}.`)
  const rows = await collected(readExport(inPieces(text), { container, format, ...context }))
  return rows.map(({ user }) => user)
}

/** What is read of one who has an id and an address, unless told otherwise. */
export async function person(from: string, given: object) {
  const [user] = await people(from, lines({ id: '1', email: 'ada@example.com', ...given }))
  return user
}

import { eq, sql } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { createTestKey, startTestAuth, type TestAuth } from '../../testing.ts'
import { importExport } from '../import.ts'
import type { ImportedRow } from '../imported-user.ts'
import type { TestExport } from './exports.ts'

/** A text as a file gives it. */
export async function* inPieces(text: string, size = 7) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

export async function collected<Each>(all: AsyncIterable<Each>) {
  const found: Each[] = []
  for await (const each of all) found.push(each)
  return found
}

export const lines = (...records: object[]) =>
  records.map((record) => JSON.stringify(record)).join('\n')

export const outcomes = (rows: readonly ImportedRow[]) =>
  rows.map(({ outcome, reason }) => reason ?? outcome)

type Run = Partial<TestExport> & { text: string; dryRun?: boolean; emailsVerified?: true }

/** A server with sign-in, and imports beside it. */
export async function startTestImport() {
  const auth: TestAuth = await startTestAuth()
  const { db } = auth.auth
  const { database } = auth.infrastructure
  if (!database) throw new Error('There is no database.')

  return {
    auth,
    db,
    run: async ({ text, container = 'jsonl', from = 'own', dryRun = false, ...given }: Run) => {
      const options = { ...given.options, 'emails-verified': given.emailsVerified }
      const order = { database, clock: auth.clock, container, from, dryRun, options }
      return collected(importExport({ ...order, text: inPieces(text) }))
    },
    rowOf: async (email: string) => {
      const [row] = await db.select().from(users).where(eq(users.email, email))
      return row
    },
    /** Every export names the same people. */
    forgetAll: async () => {
      await db.delete(users).where(sql`true`)
    },
    tryPassword: async (email: string, password: string) => {
      const { registration } = await createTestKey()
      return (await auth.call('login', { email, password, ...registration })).status
    },
  }
}

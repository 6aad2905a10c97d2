import { createLogger, type Db, migrationSources } from '@svc/core'
import { connectDatabase, type Database } from '@svc/core/database'
import { createTestDatabase, startTestServer, type TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { fill, invoices, ours, shop, theirs } from './test-shop.ts'

export const log = createLogger({ level: 'silent' })

/** The shop on a database of its own. */
export interface TestFence {
  /** Its pool is that of the owner, whom no policy binds. */
  readonly owner: Awaited<ReturnType<typeof createTestDatabase>>
  /** The address with the role that the fence binds. */
  readonly processUrl: string
  /** With one connection, so that each statement runs where the one before it ran. */
  readonly lone: Database
  /** Empties the tables, and gives each organization an invoice. */
  readonly fill: () => Promise<void>
  /** The rows of both organizations, as the owner sees them. */
  readonly all: () => Promise<unknown[]>
  readonly startServer: () => Promise<TestServer>
  readonly stop: () => Promise<void>
}

export async function createTestFence(): Promise<TestFence> {
  const owner = await createTestDatabase({ sources: migrationSources(shop) })
  const { processUrl = '' } = owner
  const lone = await connectDatabase(processUrl, { log, maxConnections: 1 })
  const servers: TestServer[] = []
  return {
    owner,
    processUrl,
    lone,
    fill: () => fill(owner.pool),
    async all() {
      const { rows } = await owner.pool.query(
        'select organization_id as org, cents from invoices order by organization_id, cents',
      )
      return rows
    },
    async startServer() {
      const server = await startTestServer(shop, {
        env: {
          DATABASE_URL: processUrl,
          DATABASE_URL_DIRECT: owner.url,
          SVC_DATABASE_CONNECTIONS: '2',
        },
      })
      servers.push(server)
      return server
    },
    async stop() {
      await lone.close()
      for (const server of servers) await server.stop()
      await owner.drop()
    },
  }
}

export const untouched = [
  { org: ours, cents: 100 },
  { org: theirs, cents: 900 },
]

export async function sumOf(db: Db): Promise<number | undefined> {
  const rows = await db.select({ sum: sql<number>`coalesce(sum(cents), 0)::int` }).from(invoices)
  return rows[0]?.sum
}

/** PostgreSQL refuses it, in these words. */
export const refused = (run: PromiseLike<unknown>, words: string | RegExp): Promise<void> =>
  expect(run).rejects.toMatchObject({
    cause: {
      message:
        typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
    },
  })

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../database/server.ts'
import { defineServer, migrationSources } from '../index.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { DatabasePresence } from './database-presence.ts'
import type { Follower, FollowerChanges, PresenceStore } from './presence-store.ts'

export const follower = (subject: string, resource = '1'): Follower => ({
  channel: 'room',
  resource,
  subject,
  connection: randomUUID(),
})

export type TestStore = ReturnType<ReturnType<typeof useTestStores>['use']>

/** A database, stores of it and others, and what they have told. */
export function useTestStores() {
  let database: TestDatabase
  const told: string[] = []
  beforeAll(async () => {
    database = await createTestDatabase({ sources: migrationSources(defineServer()) })
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    told.length = 0
    await query('truncate svc_core.followers, svc_core.presence_instances')
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.pool.query(text, values)).rows

  const tell: Parameters<PresenceStore['write']>[1] = async ({ joined, left }) => {
    told.push(...joined.map(({ subject }) => `${subject} joined`))
    told.push(...left.map(({ subject }) => `${subject} left`))
  }

  function use(store: PresenceStore) {
    const change = (changes: Partial<FollowerChanges>) =>
      store.write({ arrived: [], left: [], dropped: [], ...changes }, tell)
    return {
      store,
      change,
      arrive: (...arrived: Follower[]) => change({ arrived }),
      leave: (...left: Follower[]) => change({ left }),
      drop: (...dropped: Follower[]) => change({ dropped }),
      sweep: () => store.sweep(tell),
      present: (resource = '1') => store.present({ channel: 'room', resource }),
    }
  }

  return {
    use,
    query,
    /** In their order: `u1 joined`. */
    told,
    get url() {
      return database.url
    },
    /** An instance. */
    open: async (channels = ['room'], own: Pick<Database, 'db' | 'pool'> = database) => {
      const store = use(new DatabasePresence(own, channels))
      await store.store.open()
      return store
    },
    /** As if time had passed. */
    endLeases: (table: 'followers' | 'presence_instances', seconds = 1) =>
      query(`update svc_core.${table} set until = now() - $1::interval where until is not null`, [
        `${seconds} seconds`,
      ]),
  }
}

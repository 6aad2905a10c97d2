import { randomUUID } from 'node:crypto'
import type { QueryConfig, QueryResultRow } from 'pg'
import { clientOf } from '../database/database.ts'
import type { Database } from '../database/server.ts'
import {
  type Follower,
  type FollowerChanges,
  type PresenceStore,
  type PresentSubject,
  type Resource,
  type Tell,
  without,
} from './presence-store.ts'
import * as statements from './statements.ts'

type Run = <Row extends QueryResultRow>(statement: QueryConfig) => Promise<Row[]>

/** Presence for all instances: a row for each connection, and a lease for each instance. */
export class DatabasePresence implements PresenceStore {
  readonly isShared = true
  readonly #instance = randomUUID()
  readonly #database: Pick<Database, 'db' | 'pool'>
  readonly #channels: readonly string[]

  constructor(database: Pick<Database, 'db' | 'pool'>, channels: readonly string[]) {
    this.#database = database
    this.#channels = channels
  }

  async open() {
    await this.#run(statements.begin(this.#instance))
  }

  async write({ arrived, left, dropped }: FollowerChanges, tell: Tell) {
    await this.#transaction(async (run) => {
      await run(statements.lock([...arrived, ...left, ...dropped]))
      // In statements after the lock, so that they see what its last holders have written.
      const known =
        arrived.length > 0 ? await run<PresentSubject>(statements.following(arrived)) : []
      if (arrived.length > 0) await run(statements.add(arrived, this.#instance))
      if (dropped.length > 0) await run(statements.drop(dropped))
      const removed = left.length > 0 ? await run<PresentSubject>(statements.remove(left)) : []
      await tell({ joined: without(arrived, known), left: await gone(removed, run) })
    })
  }

  async sweep(tell: Tell) {
    const due = await this.#run<Follower>(statements.due(this.#channels))
    if (due.length === 0) return 0
    await this.#transaction(async (run) => {
      const dead = await run<{ id: string }>(statements.holdDead)
      await run(statements.lock(due))
      const ids = dead.map(({ id }) => id)
      const removed = await run<PresentSubject>(statements.removeDue(due, ids))
      await tell({ joined: [], left: await gone(removed, run) })
    })
    return due.length
  }

  async renew() {
    const [before] = await this.#run<{ hasHeld: boolean }>(statements.renew(this.#instance))
    await this.#run(statements.forgetEmpty)
    if (!before) await this.open()
    return before?.hasHeld ?? false
  }

  async present(resource: Resource) {
    const rows = await this.#run<{ subject: string }>(statements.present(resource))
    return rows.map(({ subject }) => subject)
  }

  followersOf(resources: readonly Resource[]) {
    return this.#run<PresentSubject>(statements.followersOf(resources))
  }

  following(subjects: readonly PresentSubject[]) {
    return this.#run<PresentSubject>(statements.following(subjects))
  }

  async close() {
    await this.#run(statements.shorten(this.#instance))
  }

  async #run<Row extends QueryResultRow>(statement: QueryConfig) {
    return (await this.#database.pool.query<Row>(statement)).rows
  }

  /**
   * Each statement must see what was committed before it, even if the database has another default.
   */
  async #transaction(change: (run: Run) => Promise<void>) {
    await this.#database.db.transaction(
      async (tx) => {
        const run: Run = async (statement) => (await clientOf(tx)?.query(statement))?.rows ?? []
        await change(run)
      },
      { isolationLevel: 'read committed', retry: true },
    )
  }
}

/** Those of them who have no other connection. */
async function gone(removed: readonly PresentSubject[], run: Run) {
  if (removed.length === 0) return []
  return without(removed, await run<PresentSubject>(statements.following(removed)))
}

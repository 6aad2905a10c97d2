import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createDb } from './create-db.ts'
import { databaseFailure } from './failures.ts'
import { connectDatabase } from './server.ts'
import { prepared } from './statement.ts'
import { afterCommit, atCommit, clientOf, currentTransaction, type Db } from './transaction.ts'

const notes = pgTable('notes', { id: integer().primaryKey(), body: text() })

let database: TestDatabase
let db: Db
let ran: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await database.pool.query('create table notes (id int primary key, body text)')
})
beforeEach(async () => {
  ran = []
  await database.pool.query('truncate notes')
})
afterAll(() => database.drop())

const note = (name: string) => () => void ran.push(name)
const insert = (on: Db, id: number) => on.insert(notes).values({ id })
const count = () => db.$count(notes)

describe('transaction', () => {
  it('commits what it wrote and answers what the function answers', async () => {
    expect(await db.transaction(async (tx) => (await insert(tx, 1), 'done'))).toBe('done')
    expect(await count()).toBe(1)
  })

  it('rolls back on a throw, and passes it on', async () => {
    const refusal = new Error('no')
    const attempt = db.transaction(async (tx) => {
      await insert(tx, 1)
      throw refusal
    })
    await expect(attempt).rejects.toBe(refusal)
    expect(await count()).toBe(0)
  })

  it('rolls back a savepoint alone', async () => {
    await db.transaction(async (tx) => {
      await insert(tx, 1)
      await tx.transaction((inner) => insert(inner, 1)).catch(() => {})
      await tx.transaction((inner) => insert(inner, 2))
    })
    expect(await count()).toBe(2)
  })

  it('does not call it a success when a swallowed error has undone it', async () => {
    const attempt = db.transaction(async (tx) => {
      await insert(tx, 1)
      await tx.execute(sql`select 1 / 0`).catch(() => {})
      await afterCommit(note('committed'))
    })
    await expect(attempt).rejects.toThrow(/Nothing was committed/)
    expect(ran).toEqual([])
  })

  it('takes an isolation level and an access mode', async () => {
    const level = await db.transaction(
      async (tx) => (await tx.execute(sql`show transaction_isolation`)).rows[0],
      { isolationLevel: 'serializable', accessMode: 'read only' },
    )
    expect(level).toEqual({ transaction_isolation: 'serializable' })
    const writing = db.transaction((tx) => insert(tx, 1), { accessMode: 'read only' })
    await expect(writing).rejects.toSatisfy((error) => databaseFailure(error)?.status === 503)
  })

  it('gives its connection back however it ends', async () => {
    for (let round = 0; round < 12; round++) {
      await db.transaction(async () => {})
      await db.transaction(() => Promise.reject(new Error('no'))).catch(() => {})
      await db.transaction((tx) => tx.execute(sql`begin isolation nonsense`)).catch(() => {})
    }
    expect(database.pool.idleCount).toBe(database.pool.totalCount)
  })

  it('survives the loss of its connection between two statements, and answers 503', async () => {
    const attempt = db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await vi.waitFor(async () => expect(database.pool.totalCount).toBeGreaterThan(0))
      await new Promise((resolve) => setTimeout(resolve, 50))
      await insert(tx, 1)
    })
    await expect(attempt).rejects.toSatisfy((error) => databaseFailure(error)?.status === 503)
    expect(await count()).toBe(0)
  })

  it('refuses statements once it has ended, instead of writing into the next one', async () => {
    const kept = await db.transaction(async (tx) => tx)
    await expect(insert(kept, 1)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('has ended') },
    })
    await expect(clientOf(kept)?.query('select 1')).rejects.toThrow(/has ended/)
  })
})

describe('afterCommit', () => {
  it('runs at once where no transaction is open', async () => {
    await afterCommit(note('at once'))
    expect(ran).toEqual(['at once'])
  })

  it('lets the caller see a failure where no transaction is open', async () => {
    const failing = afterCommit(() => Promise.reject(new Error('broker down')))
    await expect(failing).rejects.toThrow('broker down')
  })

  it('runs after the commit, before the transaction answers, in the order of registration', async () => {
    await db.transaction(async (tx) => {
      await insert(tx, 1)
      await afterCommit(async () => void ran.push(`sees ${await count()}`))
      await afterCommit(note('second'))
      expect(ran).toEqual([])
    })
    expect(ran).toEqual(['sees 1', 'second'])
  })

  it('does not run after a rollback', async () => {
    const attempt = db.transaction(async () => {
      await afterCommit(note('never'))
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(ran).toEqual([])
  })

  it('does not run when the commit itself fails', async () => {
    await database.pool.query(
      'create table held (id int unique deferrable initially deferred); insert into held values (1)',
    )
    const attempt = db.transaction(async (tx) => {
      await tx.execute(sql`insert into held values (1)`)
      await afterCommit(note('never'))
    })
    await expect(attempt).rejects.toSatisfy((error) => databaseFailure(error)?.status === 409)
    expect(ran).toEqual([])
  })

  it('waits for the outermost commit, and drops what a rolled-back savepoint registered', async () => {
    await db.transaction(async (tx) => {
      await afterCommit(note('outer'))
      await tx.transaction(async (inner) => {
        await inner.transaction(async () => afterCommit(note('innermost')))
        await afterCommit(note('inner'))
      })
      const lost = tx.transaction(async (inner) => {
        await inner.transaction(async () => afterCommit(note('released inside a rolled-back one')))
        await afterCommit(note('lost'))
        throw new Error('no')
      })
      await lost.catch(() => {})
      expect(ran).toEqual([])
      await afterCommit(note('last'))
    })
    expect(ran).toEqual(['outer', 'innermost', 'inner', 'last'])
  })

  it('logs a failure and runs the others: the committer has committed', async () => {
    const error = vi.fn()
    const answer = await createDb(database.pool, { error }).transaction(async () => {
      await afterCommit(() => {
        throw new Error('broker down')
      })
      await afterCommit(() => Promise.reject(new Error('still down')))
      await afterCommit(note('third'))
      return 'done'
    })
    expect(answer).toBe('done')
    expect(ran).toEqual(['third'])
    expect(error).toHaveBeenCalledTimes(2)
  })

  it('runs at once in a hook, also when the hook opened a transaction of its own', async () => {
    await db.transaction(async () => {
      await afterCommit(async () => {
        expect(currentTransaction()).toBeNull()
        await afterCommit(note('in a hook'))
        await db.transaction(async () => afterCommit(note("after the hook's commit")))
        ran.push('end of the hook')
      })
    })
    expect(ran).toEqual(['in a hook', "after the hook's commit", 'end of the hook'])
  })

  it('runs at once in work that outlives its transaction', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let straggler: Promise<void> | undefined
    await db.transaction(async () => {
      straggler = ended.then(() => afterCommit(note('late')))
    })
    end()
    await straggler
    expect(ran).toEqual(['late'])
  })

  it('keeps transactions apart that run one after another or side by side', async () => {
    const one = async (id: number) =>
      db.transaction(async (tx) => {
        await afterCommit(note(`hook ${id}`))
        await tx.execute(sql`select pg_sleep(${(5 - id) / 100})`)
        expect(currentTransaction()).toBe(tx)
        if (id === 2) throw new Error('no')
      })
    await one(0)
    await Promise.allSettled([one(1), one(2), one(3)])
    // Which of two that run side by side commits first is the machine's to say.
    expect(ran.toSorted()).toEqual(['hook 0', 'hook 1', 'hook 3'])
    expect(ran[0]).toBe('hook 0')
  })

  it('follows the commit of a transaction that is opened on the pool inside another', async () => {
    const outer = db.transaction(async () => {
      await db.transaction(async () => afterCommit(note('inner commit')))
      expect(ran).toEqual(['inner commit'])
      await afterCommit(note('outer commit'))
      throw new Error('no')
    })
    await expect(outer).rejects.toThrow('no')
    expect(ran).toEqual(['inner commit'])
  })
})

describe('atCommit', () => {
  const asNotes = async (ids: readonly number[]) => ({
    text: 'insert into notes select unnest($1::int[])',
    values: [ids],
  })
  const ids = async () => (await db.select().from(notes)).map(({ id }) => id)

  it('writes what was given for one writer in one statement, behind all others', async () => {
    await db.transaction(async (tx) => {
      atCommit(asNotes, 1)
      atCommit(asNotes, 2)
      expect(await tx.$count(notes)).toBe(0)
      await insert(tx, 3)
    })
    expect(await ids()).toEqual([3, 1, 2])
  })

  it('rolls back when that cannot be written, and leaves a connection that can be used', async () => {
    const log = { warn: () => {}, error: () => {} }
    const lone = await connectDatabase(database.url, { log, maxConnections: 1 })
    await lone.db.transaction((tx) => insert(tx, 1))
    for (const id of [2, 3]) {
      const attempt = lone.db.transaction(async (tx) => {
        await insert(tx, id)
        atCommit(asNotes, 1)
        await afterCommit(note('never'))
      })
      await expect(attempt).rejects.toSatisfy((error) => databaseFailure(error)?.status === 409)
    }
    await lone.db.transaction(async () => void atCommit(asNotes, 4))
    expect(await ids()).toEqual([1, 4])
    expect(ran).toEqual([])
    await lone.close()
  })

  it('writes nothing when the commit behind it fails', async () => {
    await database.pool.query(
      'create table due (id int unique deferrable initially deferred); insert into due values (1)',
    )
    const attempt = db.transaction(async (tx) => {
      await tx.execute(sql`insert into due values (1)`)
      atCommit(asNotes, 1)
    })
    await expect(attempt).rejects.toSatisfy((error) => databaseFailure(error)?.status === 409)
    expect(await ids()).toEqual([])
  })

  it('commits where a writer has nothing to write, and rolls back where it fails', async () => {
    await db.transaction(async (tx) => {
      await insert(tx, 1)
      atCommit(async () => undefined, 2)
    })
    const attempt = db.transaction(async (tx) => {
      await insert(tx, 2)
      atCommit(() => Promise.reject(new Error('no row')), 3)
    })
    await expect(attempt).rejects.toThrow('no row')
    expect(await ids()).toEqual([1])
  })
})

describe('currentTransaction', () => {
  it('is null outside, the transaction inside, and the savepoint in a savepoint', async () => {
    expect(currentTransaction()).toBeNull()
    await db.transaction(async (tx) => {
      expect(currentTransaction()).toBe(tx)
      await tx.transaction(async (inner) => expect(currentTransaction()).toBe(inner))
      expect(currentTransaction()).toBe(tx)
    })
    expect(currentTransaction()).toBeNull()
  })

  it('takes SQL of other libraries on the same connection', async () => {
    await db
      .transaction(async (tx) => {
        await clientOf(tx)?.query('insert into notes values ($1)', [1])
        throw new Error('no')
      })
      .catch(() => {})
    expect(await count()).toBe(0)
    expect(clientOf(db)).toBeNull()
  })
})

describe('prepared', () => {
  const built = vi.fn()
  const byId = prepared('note_by_id', (on, name) => {
    built()
    return on
      .select()
      .from(notes)
      .where(eq(notes.id, sql.placeholder('id')))
      .prepare(name)
  })

  it('builds the statement once per database', async () => {
    await insert(db, 7)
    expect(await byId(db).execute({ id: 7 })).toEqual([{ id: 7, body: null }])
    expect(await byId(db).execute({ id: 8 })).toEqual([])
    await db.transaction(async (tx) => void (await byId(tx).execute({ id: 7 })))
    expect(built).toHaveBeenCalledTimes(1)
  })

  it('runs inside the transaction it is given', async () => {
    await db
      .transaction(async (tx) => {
        await insert(tx, 9)
        expect(await byId(tx).execute({ id: 9 })).toHaveLength(1)
        expect(await byId(db).execute({ id: 9 })).toHaveLength(0)
        throw new Error('no')
      })
      .catch((error) => expect(error.message).toBe('no'))
  })

  it('is prepared on the server under its name', async () => {
    await db.transaction(async (tx) => {
      await byId(tx).execute({ id: 1 })
      const { rows } = await tx.execute(sql`select name from pg_prepared_statements`)
      expect(rows).toContainEqual({ name: 'note_by_id' })
    })
  })
})

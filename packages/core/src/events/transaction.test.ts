import { setTimeout as wait } from 'node:timers/promises'
import { Type as t } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { currentTransaction, type Db } from '../database/transaction.ts'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { connectEvents } from './connect-events.ts'
import { EventPayloadError } from './errors.ts'
import { defineEvent } from './event.ts'

let database: TestDatabase
let db: Db
let disconnect: () => Promise<void>
let got: string[]

const noted = defineEvent('noted', t.Object({ text: t.String() }))
const isShort = async (text: string) => {
  await wait(20)
  return text.length < 5
}
const checkedLater = defineEvent('later', z.object({ text: z.string().refine(isShort) }))
for (const event of [noted, checkedLater]) event.subscribe(({ text }) => got.push(text))

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  disconnect = connectEvents({ log: createLogger({ level: 'silent' }), database }).close
})
beforeEach(() => {
  got = []
})
afterAll(async () => {
  await disconnect()
  await database.drop()
})

describe('emit in a transaction', () => {
  it('waits for the commit', async () => {
    await db.transaction(async () => {
      await noted.emit({ text: 'one' })
      await checkedLater.emit({ text: 'two' })
      expect(got).toEqual([])
    })
    expect(got).toEqual(['one', 'two'])
  })

  it('waits for the outermost commit, and goes with a savepoint that is undone', async () => {
    await db.transaction(async (tx) => {
      await tx.transaction(() => noted.emit({ text: 'kept' }))
      const undone = tx.transaction(async () => {
        await noted.emit({ text: 'undone' })
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect(got).toEqual([])
    })
    expect(got).toEqual(['kept'])
  })

  it('is dropped by a rollback', async () => {
    const failed = db.transaction(async () => {
      await noted.emit({ text: 'one' })
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    expect(got).toEqual([])
  })

  it('is dropped by a rollback that comes before it was awaited', async () => {
    const emitted: Promise<void>[] = []
    const failed = db.transaction(async () => {
      emitted.push(noted.emit({ text: 'one' }), checkedLater.emit({ text: 'two' }))
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    await Promise.all(emitted)
    expect(got).toEqual([])
  })

  it('does not wait when it is told not to, even if the transaction is rolled back', async () => {
    const failed = db.transaction(async () => {
      await noted.emit({ text: 'one' }, { now: true })
      expect(got).toEqual(['one'])
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    expect(got).toEqual(['one'])
  })

  it('keeps its handlers out of the transaction when it is told not to wait', async () => {
    const seen: unknown[] = []
    const unsubscribe = noted.subscribe(() => seen.push(currentTransaction()))
    await db.transaction(() => noted.emit({ text: 'one' }, { now: true }))
    unsubscribe()

    expect(seen).toEqual([null])
  })

  it('refuses a wrong payload at once, so that the transaction can be undone', async () => {
    const failed = db.transaction(() => noted.emit({ text: 7 } as unknown as { text: string }))
    await expect(failed).rejects.toThrow(EventPayloadError)
    const failedLater = db.transaction(() => checkedLater.emit({ text: 'too long' }))
    await expect(failedLater).rejects.toThrow(EventPayloadError)
  })

  it('is awaited with the transaction', async () => {
    const slow = defineEvent('slow')
    slow.subscribe(async () => {
      await wait(30)
      got.push('slow')
    })
    await db.transaction(() => slow.emit())
    expect(got).toEqual(['slow'])
  })
})

import { describe, expectTypeOf, it } from 'vitest'
import type { Db, Tx } from './transaction.ts'

describe('Tx', () => {
  it('is given where a Db is wanted', () => {
    expectTypeOf<Tx>().toExtend<Db>()
  })

  it('is wanted where a Db is not enough', () => {
    expectTypeOf<Db>().not.toExtend<Tx>()
  })

  it('is what a transaction of either hands out', () => {
    expectTypeOf<Db['transaction']>().parameter(0).parameter(0).toExtend<Tx>()
    expectTypeOf<Tx['transaction']>().parameter(0).parameter(0).toExtend<Tx>()
  })
})

describe('transaction', () => {
  const run = async (_tx: Tx) => 1

  it('may be asked to run again, beside what Drizzle takes', () => {
    expectTypeOf((db: Db) => db.transaction(run, { retry: true })).returns.resolves.toBeNumber()
    expectTypeOf((db: Db) =>
      db.transaction(run, { isolationLevel: 'serializable', accessMode: 'read only', retry: true }),
    ).returns.resolves.toBeNumber()
  })

  it('knows no other word for it', () => {
    // @ts-expect-error -- it is called `retry`
    expectTypeOf((db: Db) => db.transaction(run, { retries: 3 })).toBeFunction()
  })

  it('is not asked so in a savepoint: the whole transaction has to run again', () => {
    // @ts-expect-error -- a savepoint takes no options
    expectTypeOf((tx: Tx) => tx.transaction(run, { retry: true })).toBeFunction()
  })
})

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

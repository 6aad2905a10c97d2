import { route } from '@svc/core'
import { describe, expectTypeOf, it } from 'vitest'

describe('c.db.query', () => {
  it('is typed by the schema that the application has named', () => {
    route.get('/notices').handler(async (c) => {
      const [newest] = await c.db.query.notices.findMany({ columns: { text: true } })
      expectTypeOf(newest).toEqualTypeOf<{ text: string } | undefined>()
      await c.db.transaction(async (tx) => {
        expectTypeOf(await tx.query.notices.findFirst()).toEqualTypeOf<
          { id: string; text: string; author: string; createdAt: Date } | undefined
        >()
      })
      // @ts-expect-error there is no such table
      void c.db.query.orders
      return c.noContent()
    })
  })
})

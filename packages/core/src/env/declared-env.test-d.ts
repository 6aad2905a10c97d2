import { describe, expectTypeOf, it } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineJob } from '../jobs/jobs.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineEnv, flag, integer, optional } from './env.ts'

const shopEnv = defineEnv({
  SHOP_KEY: optional,
  SHOP_RETRIES: integer({ initial: 3 }),
  SHOP_OPEN: flag(true),
})
interface ShopEnv {
  readonly SHOP_KEY: string | undefined
  readonly SHOP_RETRIES: number
  readonly SHOP_OPEN: boolean
}

describe('the variables of a reader', () => {
  it('are typed in a handler, a job, middleware and a lifecycle', () => {
    route.get('/').handler((c) => {
      expectTypeOf(c.env(shopEnv)).toEqualTypeOf<ShopEnv>()
      // @ts-expect-error: it is not one of them
      void c.env(shopEnv).SHOP_NAME
      // @ts-expect-error: they do not change while a server runs
      c.env(shopEnv).SHOP_RETRIES = 4
    })
    defineJob('a').handler((_, { env }) => expectTypeOf(env(shopEnv)).toEqualTypeOf<ShopEnv>())
    defineMiddleware('a', (c, next) => {
      expectTypeOf(c.server.env(shopEnv)).toEqualTypeOf<ShopEnv>()
      return next()
    })
    defineServer().lifecycle({
      name: 'a',
      afterInfrastructure: ({ env }) => void expectTypeOf(env(shopEnv)).toEqualTypeOf<ShopEnv>(),
      beforeShutdown: ({ env }) => void expectTypeOf(env(shopEnv)).toEqualTypeOf<ShopEnv>(),
    })
  })
})

import { trpcServer } from '@hono/trpc-server'
import { initTRPC } from '@trpc/server'
import { Hono } from 'hono'
import { NewUser } from './schema-zod.ts'
import { serveHono } from './serve-hono.ts'

const t = initTRPC.context<{ headers: Headers }>().create()

const procedure = t.procedure
  .use(({ ctx, next }) => next({ ctx: { m1: ctx.headers.get('x-one') } }))
  .use(({ ctx, next }) => next({ ctx: { m2: ctx.headers.get('x-two') } }))
  .use(({ ctx, next }) => next({ ctx: { m3: ctx.headers.get('x-three') } }))
  .use(({ next }) => next({ ctx: { m4: 4 } }))
  .use(({ next }) => next({ ctx: { m5: 5 } }))

const router = t.router({
  createUser: procedure.input(NewUser).mutation(({ input }) => ({ id: input.id, ok: true })),
})

const app = new Hono()
app.use('/trpc/*', trpcServer({ router, createContext: ({ req }) => ({ headers: req.headers }) }))
serveHono(app)

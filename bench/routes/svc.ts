import { defineMiddleware, defineRouter, defineServer, startServer } from '@svc/core'
import { route, t } from '@svc/core/contract'
import { served } from '../harness/served.ts'
import { roles } from './workload.ts'

const m1 = defineMiddleware('m1', (c, next) => {
  c.set('m1', c.req.header('x-one'))
  return next()
})
const m2 = defineMiddleware('m2', (c, next) => {
  c.set('m2', c.req.header('x-two'))
  return next()
})
const m3 = defineMiddleware('m3', (c, next) => {
  c.set('m3', c.req.header('x-three'))
  return next()
})
const m4 = defineMiddleware('m4', (c, next) => {
  c.set('m4', 4)
  return next()
})
const m5 = defineMiddleware('m5', (c, next) => {
  c.set('m5', 5)
  return next()
})

const createUser = route
  .post('/users')
  .input({
    body: t.Object({
      id: t.String({ format: 'uuid' }),
      name: t.String(),
      email: t.String({ format: 'email' }),
      age: t.Integer(),
      score: t.Number(),
      active: t.Boolean(),
      role: t.Enum([...roles]),
      tags: t.Array(t.String()),
    }),
  })
  .use([m1, m2])
  .handler(async (c) => {
    const { body } = await c.data()
    return { id: body.id, ok: true }
  })

const getUser = route
  .get('/users/:id')
  .input({ params: t.Object({ id: t.String() }) })
  .use([m1, m2])
  .handler(async (c) => {
    const { params } = await c.data()
    return { id: params.id, ok: true }
  })

const router = defineRouter({ createUser, getUser }).use([m3, m4, m5])
const server = await startServer(defineServer().routes(router), {
  port: 0,
  env: { NODE_ENV: 'production', SVC_LOG_LEVEL: 'warn' },
})
served(server.url)

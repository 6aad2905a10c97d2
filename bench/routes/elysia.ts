import { node } from '@elysiajs/node'
import { Elysia, t } from 'elysia'
import { freePort, served } from '../harness/served.ts'
import { roles } from './workload.ts'

const port = await freePort()

// The request's own headers: reading `headers` makes a record of all of them, which is slower here.
new Elysia({ adapter: node(), precompile: true })
  .derive(({ request }) => ({ m1: request.headers.get('x-one') }))
  .derive(({ request }) => ({ m2: request.headers.get('x-two') }))
  .derive(({ request }) => ({ m3: request.headers.get('x-three') }))
  .derive(() => ({ m4: 4 }))
  .derive(() => ({ m5: 5 }))
  .post('/users', ({ body }) => ({ id: body.id, ok: true }), {
    body: t.Object({
      id: t.String({ format: 'uuid' }),
      name: t.String(),
      email: t.String({ format: 'email' }),
      age: t.Integer(),
      score: t.Number(),
      active: t.Boolean(),
      role: t.UnionEnum([...roles]),
      tags: t.Array(t.String()),
    }),
  })
  .listen({ port, hostname: '127.0.0.1' }, () => served(`http://127.0.0.1:${port}`))

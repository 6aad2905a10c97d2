import Fastify from 'fastify'
import { served } from '../harness/served.ts'
import { createdSchema, type NewUser, newUserSchema } from './workload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    m1: unknown
    m2: unknown
    m3: unknown
    m4: number
    m5: number
  }
}

const app = Fastify({ logger: false })
app.decorateRequest('m1', undefined)
app.decorateRequest('m2', undefined)
app.decorateRequest('m3', undefined)
app.decorateRequest('m4', 0)
app.decorateRequest('m5', 0)

// Callbacks, not promises: Fastify's documentation has both, and callbacks are faster.
app.addHook('preHandler', (request, _reply, done) => {
  request.m1 = request.headers['x-one']
  done()
})
app.addHook('preHandler', (request, _reply, done) => {
  request.m2 = request.headers['x-two']
  done()
})
app.addHook('preHandler', (request, _reply, done) => {
  request.m3 = request.headers['x-three']
  done()
})
app.addHook('preHandler', (request, _reply, done) => {
  request.m4 = 4
  done()
})
app.addHook('preHandler', (request, _reply, done) => {
  request.m5 = 5
  done()
})

app.post<{ Body: NewUser }>(
  '/users',
  { schema: { body: newUserSchema, response: { 200: createdSchema } } },
  (request, reply) => {
    reply.send({ id: request.body.id, ok: true })
  },
)
app.get<{ Params: { id: string } }>(
  '/users/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'string' } } },
      response: { 200: createdSchema },
    },
  },
  (request, reply) => {
    reply.send({ id: request.params.id, ok: true })
  },
)

served(await app.listen({ host: '127.0.0.1', port: 0 }))

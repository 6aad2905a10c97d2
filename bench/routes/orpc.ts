import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { os } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import { served } from '../harness/served.ts'
import { NewUser } from './schema-zod.ts'

const base = os.$context<{ headers: IncomingHttpHeaders }>()

const createUser = base
  .use(({ context, next }) => next({ context: { m1: context.headers['x-one'] } }))
  .use(({ context, next }) => next({ context: { m2: context.headers['x-two'] } }))
  .use(({ context, next }) => next({ context: { m3: context.headers['x-three'] } }))
  .use(({ next }) => next({ context: { m4: 4 } }))
  .use(({ next }) => next({ context: { m5: 5 } }))
  .input(NewUser)
  .handler(({ input }) => ({ id: input.id, ok: true }))

const handler = new RPCHandler({ createUser })

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { matched } = await handler.handle(request, response, {
    prefix: '/rpc',
    context: { headers: request.headers },
  })
  if (matched) return
  response.statusCode = 404
  response.end('Not found')
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') served(`http://127.0.0.1:${address.port}`)
})

import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  route,
  ServiceUnavailableError,
  t,
  UnauthorizedError,
} from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const pass = (_c: unknown, next: () => Promise<void>) => next()
const signature = { type: 'http', scheme: 'bearer', description: 'A signature.' }
const card = { type: 'apiKey', in: 'header', name: 'X-Card' }
const auth = defineMiddleware('auth', pass, {
  documents: { credentials: [{ signature }, { card }], errors: [UnauthorizedError] },
})
const clerksOnly = defineMiddleware('clerks', pass, {
  documents: {
    requires: 'For clerks.',
    errors: [ForbiddenError],
    extensions: { 'x-svc-permissions': ['order:add'] },
  },
})
const silent = defineMiddleware('silent', pass)

const router = defineRouter({
  getOrder: route
    .get('/shops/:shop/orders/:orderId')
    .skip(['auth'])
    .input({
      params: t.Object({ orderId: t.String({ format: 'uuid' }) }),
      query: t.Object({
        full: t.Optional(t.Boolean()),
        page: t.Integer({ description: 'Which.' }),
        size: t.Integer({ default: 10 }),
      }),
      headers: t.Object({ 'x-trace': t.String() }),
    })
    .answer(t.Object({ id: t.String() }))
    .errors(NotFoundError, ConflictError)
    .describe({ summary: 'One order', tags: ['shops'] })
    .handler(() => ({ id: 'o1' })),
  addOrder: route
    .post('/orders')
    .use([clerksOnly])
    .input({ body: z.object({ sku: z.string() }) })
    .answer(t.Object({ id: t.String() }), 201, 202, 303)
    .errors(ServiceUnavailableError)
    .describe({ description: 'Adds one.' })
    .handler(() => ({ id: 'o1' })),
  showOrders: route
    .get('/orders')
    .skip(['auth'])
    .use([silent])
    .answer(t.String({ contentMediaType: 'text/html' }))
    .handler((c) => c.raw.html('<p>') as never),
  cancelOrder: route
    .delete('/orders/:orderId')
    .use([silent])
    .answer(t.Undefined(), 204)
    .handler(() => undefined),
}).use([auth])

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
const document = (await (await server.fetch('/_core/openapi.json')).json()) as {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: { securitySchemes: object }
}
const { get: getOrder } = document.paths['/shops/{shop}/orders/{orderId}'] ?? {}
const { post: addOrder, get: showOrders } = document.paths['/orders'] ?? {}

describe('the OpenAPI document', () => {
  it('is 3.1 and lists the operations of the application by name, and then the framework’s', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(Object.keys(document.paths)).toEqual([
      '/shops/{shop}/orders/{orderId}',
      '/orders',
      '/orders/{orderId}',
      '/health',
      '/_core/health',
      '/_core/health/live',
      '/_core/health/ready',
      '/_core/time',
    ])
    expect(addOrder?.operationId).toBe('addOrder')
  })

  it('describes parameters of path, query and headers', () => {
    expect(getOrder?.parameters).toEqual([
      { name: 'shop', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'orderId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'full', in: 'query', required: false, schema: { type: 'boolean' } },
      {
        name: 'page',
        in: 'query',
        required: true,
        description: 'Which.',
        schema: { type: 'integer' },
      },
      { name: 'size', in: 'query', required: false, schema: { type: 'integer', default: 10 } },
      { name: 'x-trace', in: 'header', required: true, schema: { type: 'string' } },
    ])
  })

  it('describes bodies of TypeBox and of Standard Schema, and answers', () => {
    expect(addOrder?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
        },
      },
    })
    expect(addOrder?.responses).toHaveProperty('201.content')
    expect(addOrder?.responses).toHaveProperty('202.content')
    expect(addOrder?.responses).toHaveProperty('303.headers.Location')
    expect(showOrders?.responses).toMatchObject({
      200: { content: { 'text/html': { schema: { type: 'string' } } } },
    })
    const { delete: cancelOrder } = document.paths['/orders/{orderId}'] ?? {}
    expect(cancelOrder?.responses).toMatchObject({ 204: { description: 'No Content' } })
    expect(cancelOrder?.responses).not.toHaveProperty('204.content')
  })

  it('lists declared refusals, and those that validation and a body add', () => {
    expect(getOrder?.responses).toMatchObject({
      404: { description: 'NotFoundError' },
      409: { description: 'ConflictError' },
      400: { description: 'ValidationError' },
      default: { description: 'Any error' },
    })
    expect(addOrder?.responses).toMatchObject({
      400: { description: 'ValidationError, BadRequestError' },
      413: { description: 'PayloadTooLargeError' },
      415: { description: 'UnsupportedMediaTypeError' },
      503: { headers: { 'Retry-After': { schema: { type: 'integer' } } } },
    })
  })

  it('groups operations by the beginning of their path, unless they say by what', () => {
    expect(document.tags.map(({ name }) => name)).toEqual([
      'shops',
      'orders',
      'health',
      'core/health',
      'core/time',
    ])
    expect([getOrder?.tags, addOrder?.tags]).toEqual([['shops'], ['orders']])
  })

  it('says who may call, as the middleware around an operation says it', () => {
    expect(document.components.securitySchemes).toEqual({ signature, card })
    expect(addOrder).toMatchObject({
      description: 'Adds one.\n\nFor clerks.',
      security: [{ signature: [] }, { card: [] }],
      'x-svc-permissions': ['order:add'],
    })
    expect(addOrder?.responses).toMatchObject({
      401: { description: 'UnauthorizedError' },
      403: { description: 'ForbiddenError' },
    })
    expect(getOrder?.security).toEqual([])
    expect(getOrder?.responses).not.toHaveProperty('401')
  })

  it('does not say that an operation is open where a middleware says nothing of itself', () => {
    expect(showOrders).not.toHaveProperty('security')
  })

  it('is not served in production', async () => {
    const production = await startTestServer(defineServer().routes(router), {
      env: { NODE_ENV: 'production' },
    })
    const answer = await production.fetch('/_core/openapi.json')
    await production.stop()

    expect(answer.status).toBe(404)
  })
})

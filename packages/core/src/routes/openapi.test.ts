import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConflictError, NotFoundError, route, t } from '../contract.ts'
import { defineServer } from '../server/define-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { defineRouter } from './router.ts'

const router = defineRouter({
  getOrder: route
    .get('/shops/:shop/orders/:orderId')
    .input({
      params: t.Object({ orderId: t.String({ format: 'uuid' }) }),
      query: t.Object({ full: t.Optional(t.Boolean()), page: t.Integer() }),
      headers: t.Object({ 'x-trace': t.String() }),
    })
    .answer(t.Object({ id: t.String() }))
    .errors(NotFoundError, ConflictError)
    .describe({ summary: 'One order', tags: ['orders'] })
    .handler(() => ({ id: 'o1' })),
  addOrder: route
    .post('/orders')
    .input({ body: z.object({ sku: z.string() }) })
    .answer(t.Object({ id: t.String() }), 201, 202)
    .handler(() => ({ id: 'o1' })),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
const document = (await (await server.fetch('/_core/openapi.json')).json()) as {
  openapi: string
  paths: Record<string, Record<string, Record<string, unknown>>>
}

describe('the OpenAPI document', () => {
  it('is 3.1 and lists the application’s operations by name', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(Object.keys(document.paths)).toEqual(['/shops/{shop}/orders/{orderId}', '/orders'])
    expect(document.paths['/orders']?.post?.operationId).toBe('addOrder')
  })

  it('describes parameters of path, query and headers', () => {
    expect(document.paths['/shops/{shop}/orders/{orderId}']?.get?.parameters).toEqual([
      { name: 'shop', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'orderId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'full', in: 'query', required: false, schema: { type: 'boolean' } },
      { name: 'page', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'x-trace', in: 'header', required: true, schema: { type: 'string' } },
    ])
  })

  it('describes bodies of TypeBox and of Standard Schema, and answers', () => {
    const post = document.paths['/orders']?.post
    expect(post?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
        },
      },
    })
    expect(post?.responses).toHaveProperty('201.content')
    expect(post?.responses).toHaveProperty('202.content')
  })

  it('lists declared refusals and the one that validation adds', () => {
    const get = document.paths['/shops/{shop}/orders/{orderId}']?.get
    expect(get?.responses).toMatchObject({
      404: { description: 'NotFoundError' },
      409: { description: 'ConflictError' },
      400: { description: 'ValidationError' },
      default: { description: 'Any error' },
    })
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

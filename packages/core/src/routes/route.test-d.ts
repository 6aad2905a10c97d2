import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createApi } from '../call/create-api.ts'
import {
  bytesBody,
  ConflictError,
  HttpError,
  multipartBody,
  type Page,
  type ReceivedFile,
  route,
  streamBody,
  t,
} from '../contract.ts'
import type { InvalidField } from '../errors/contract.ts'
import { defineRouter } from './router.ts'

class OutOfStockError extends HttpError<{ available: number }> {
  readonly name = 'OutOfStockError'
  readonly status = 409
  declare readonly available: number
}

const placeOrder = route
  .post('/shops/:shop/orders')
  .input({
    params: t.Object({ shop: t.String() }),
    query: t.Object({ dry: t.Optional(t.Boolean()) }),
    body: t.Object({ sku: t.String(), count: t.Integer() }),
    headers: t.Object({ 'x-trace': t.String() }),
  })
  .errors(OutOfStockError, ConflictError)
  .handler(async (c) => {
    const { params, query, body, headers } = await c.data()
    expectTypeOf(params.shop).toEqualTypeOf<string>()
    expectTypeOf(query.dry).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(body).toEqualTypeOf<{ sku: string; count: number }>()
    expectTypeOf(headers['x-trace']).toEqualTypeOf<string>()
    return c.success({ at: new Date(), count: body.count })
  })

const router = defineRouter({
  placeOrder,
  list: route.get('/orders').handler((c) => c.paginated([{ id: 'o1' }], 1, 10, 1)),
  plain: route.get('/plain').handler(() => ({ n: 1 })),
  maybe: route.get('/maybe').handler((c) => (Math.random() > 1 ? c.noContent() : { n: 1 })),
  contract: route.get('/contract').answer(t.Object({ id: t.String() })),
  foreign: route
    .post('/foreign')
    .input({ body: z.object({ age: z.coerce.number<string>() }) })
    .handler(async (c) => (await c.data()).body),
  bytes: route
    .post('/bytes')
    .input({ body: bytesBody({ maxBytes: 9 }) })
    .handler(async (c) => {
      const { body } = await c.data()
      expectTypeOf(body.bytes).toEqualTypeOf<Buffer>()
    }),
  stream: route
    .post('/stream/:name')
    .input({ params: t.Object({ name: t.String() }), body: streamBody({ maxBytes: 9 }) })
    .handler(async (c) => {
      const { params, body } = await c.data()
      expectTypeOf(params.name).toEqualTypeOf<string>()
      expectTypeOf(body.stream()).toEqualTypeOf<ReadableStream<Uint8Array<ArrayBuffer>>>()
    }),
  form: route
    .post('/form')
    .input({
      body: multipartBody({
        maxBytes: 9,
        fields: t.Object({ age: t.Integer() }),
        files: {
          one: { maxBytes: 1 },
          maybe: { maxBytes: 1, optional: true },
          list: { maxBytes: 1, atMost: 2 },
        },
      }),
    })
    .handler(async (c) => {
      const { fields, files } = (await c.data()).body
      expectTypeOf(fields).toEqualTypeOf<{ age: number }>()
      expectTypeOf(files.one).toEqualTypeOf<ReceivedFile>()
      expectTypeOf(files.maybe).toEqualTypeOf<ReceivedFile | undefined>()
      expectTypeOf(files.list).toEqualTypeOf<ReceivedFile[]>()
    }),
})

const api = createApi<typeof router>({ routeMap: {} })

describe('types', () => {
  it('infers what a handler gets from the input schemas (R-003)', () => {
    route
      .get('/x/:id')
      .input({ params: t.Object({ id: t.Integer() }) })
      .handler(async (c) => {
        const data = await c.data()
        expectTypeOf(data.params).toEqualTypeOf<{ id: number }>()
        expectTypeOf(data.query).toEqualTypeOf<Record<never, never>>()
        // @ts-expect-error nothing was declared for headers (R-007)
        void data.headers
        // @ts-expect-error nothing was declared for the body
        void data.body
      })
  })

  it('holds a handler to the declared answer', () => {
    const contract = route.get('/contract').answer(t.Object({ id: t.String() }))
    contract.handler(() => ({ id: 'one' }))
    contract.handler((c) => c.json({ id: 'one' }))
    // @ts-expect-error the answer is an object with an id
    contract.handler(() => ({ id: 1 }))
  })

  it('refuses an answer that JSON cannot carry, where it stands', () => {
    const answering = route.get('/numbers')
    // @ts-expect-error JSON.stringify throws at a BigInt
    answering.handler(() => 1n)
    // @ts-expect-error a count of PostgreSQL that is too large for a number
    answering.handler(() => ({ rows: [{ count: 1n }] }))
    // @ts-expect-error it would be answered as {}
    answering.handler(async () => ({ byId: new Map([['a', 1]]) }))
    // @ts-expect-error and so would this
    answering.handler((c) => c.success({ tags: new Set(['a']) }))
    // @ts-expect-error a promise that was not awaited is {} too
    answering.handler(() => ({ later: Promise.resolve(1) }))
    // @ts-expect-error bytes would be an object of numbers
    answering.handler(() => ({ bytes: new Uint8Array(1) }))
    // @ts-expect-error JSON leaves it out
    answering.handler(() => ({ kind: Symbol('a') }))
  })

  it('takes an answer of what JSON makes text or objects of', () => {
    interface Tree {
      name: string
      parts?: Tree[]
    }
    const answering = route.get('/values')
    answering.handler((c) => c.json({ at: new Date(), site: new URL('https://a.example') }))
    answering.handler((): Tree[] => [{ name: 'a', parts: [{ name: 'b' }] }])
    answering.handler((c) => (Math.random() > 1 ? c.noContent() : { n: null, u: undefined }))
    answering.handler((): unknown => 1)
    answering.handler(() => Response.json({}))
    answering.handler(async (c) => {
      if (Math.random() > 1) return c.created({ id: 'a' })
      return { id: 'b', list: [1, 'two'] as const }
    })
  })

  it('gives a caller the body as JSON carries it', () => {
    const input = {
      params: { shop: 'a' },
      query: {},
      body: { sku: 's', count: 1 },
      headers: { 'x-trace': 't' },
    }
    expectTypeOf(api.placeOrder.call(input)).resolves.toEqualTypeOf<{
      success: true
      data: { at: string; count: number }
    }>()
    expectTypeOf(api.list.call()).resolves.toExtend<Page<{ id: string }>>()
    expectTypeOf(api.plain.call()).resolves.toEqualTypeOf<{ n: number }>()
    expectTypeOf(api.maybe.call()).resolves.toEqualTypeOf<{ n: number } | undefined>()
    expectTypeOf(api.contract.call()).resolves.toEqualTypeOf<{ id: string }>()
  })

  it('takes from a caller what a foreign schema takes, and gives the handler what it makes', () => {
    expectTypeOf(api.foreign.call).parameter(0).toEqualTypeOf<{ body: { age: string } }>()
    expectTypeOf(api.foreign.call({ body: { age: '1' } })).resolves.toEqualTypeOf<{ age: number }>()
  })

  it('refuses what an operation does not take', () => {
    // @ts-expect-error the input is missing
    void api.placeOrder.call()
    // @ts-expect-error nothing is declared, so nothing is taken
    void api.plain.call({ body: {} })
    // @ts-expect-error there is no such operation
    void api.unknown
  })

  it('types declared errors for the caller', async () => {
    const outcome = await api.placeOrder.try({} as never)
    if (outcome.ok) return
    if (outcome.error.name === 'OutOfStockError') {
      expectTypeOf(outcome.error.available).toEqualTypeOf<number>()
    }
    if (outcome.error.name === 'ValidationError') {
      expectTypeOf(outcome.error.fields).toEqualTypeOf<InvalidField[]>()
    }
    if (outcome.error instanceof OutOfStockError) {
      expectTypeOf(outcome.error.available).toEqualTypeOf<number>()
    }
  })

  it('says what may be sent as a body that isn’t JSON', () => {
    void api.bytes.call({ body: new Blob([]) })
    void api.stream.call({ params: { name: 'a' }, body: new Uint8Array(1) })
    void api.stream.call({ params: { name: 'a' }, body: new Blob([]).stream() })
    void api.form.call({ body: new FormData() })
    // @ts-expect-error a form is no body of bytes
    void api.bytes.call({ body: new FormData() })
    // @ts-expect-error bytes are no form
    void api.form.call({ body: new Uint8Array(1) })
    // @ts-expect-error the body is asked for
    void api.bytes.call()
    // @ts-expect-error nor is it JSON
    void api.bytes.call({ body: { bytes: [] } })
  })
})

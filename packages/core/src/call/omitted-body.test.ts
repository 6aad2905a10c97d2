import { afterAll, beforeEach, expect, it } from 'vitest'
import { route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import type { StandardSchema } from '../schema/schema.ts'
import { startTestServer } from '../testing/test-server.ts'

const Filter = t.Object({ includeRevoked: t.Optional(t.Boolean()) })

const checked = (value: unknown) =>
  typeof value === 'object' && value !== null ? { value } : { issues: [{ message: 'no object' }] }

/** What zod makes of `z.object({ note: z.string().optional() })`, as far as it is asked here. */
const foreign: StandardSchema<{ note?: string }> = {
  '~standard': { version: 1, vendor: 'test', validate: checked },
}
const slow: StandardSchema<{ note?: string }> = {
  '~standard': { ...foreign['~standard'], validate: async (value) => checked(value) },
}

const router = defineRouter({
  list: route
    .post('/list')
    .input({ body: Filter })
    .handler(async (c) => (await c.data()).body),
  foreign: route
    .post('/foreign')
    .input({ body: foreign })
    .handler(async (c) => (await c.data()).body),
  slow: route
    .post('/slow')
    .input({ body: slow })
    .handler(async (c) => (await c.data()).body),
  save: route
    .post('/save')
    .input({ body: t.Object({ note: t.String() }) })
    .handler(async (c) => (await c.data()).body),
  defaulted: route
    .post('/defaulted')
    .input({
      body: t.Object({
        size: t.Integer({ default: 10 }),
        tags: t.Array(t.String(), { default: [] }),
      }),
    })
    .handler(async (c) => (await c.data()).body),
  joined: route
    .post('/joined')
    .input({ body: t.Intersect([Filter, t.Object({ size: t.Integer({ default: 10 }) })]) })
    .handler(async (c) => (await c.data()).body),
  either: route
    .post('/either')
    .input({ body: t.Union([t.Object({ note: t.String() }), Filter]) })
    .handler(async (c) => (await c.data()).body),
  anything: route
    .post('/anything')
    .input({ body: t.Unknown() })
    .handler(async (c) => (await c.data()).body),
  plain: route.post('/plain').handler((c) => c.noContent()),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)

const sent: unknown[] = []
const api = server.api<typeof router>({
  fetch: (url, init) => {
    sent.push(init?.body)
    return fetch(url, init)
  },
})
beforeEach(() => void sent.splice(0))

it('is sent as an empty object where all its members are optional', async () => {
  expect(await api.list.call()).toEqual({})
  expect(await api.list.call({})).toEqual({})
  expect(await api.foreign.call()).toEqual({})
  expect(sent).toEqual(['{}', '{}', '{}'])
})

it('is not sent where there is none, or where it is not known to be optional', async () => {
  await api.plain.call()
  await api.slow.call().catch(() => null)
  expect(sent).toEqual([undefined, undefined])
})

it('is left out where a body of several schemas takes an empty object', async () => {
  expect(await api.joined.call()).toEqual({ size: 10 })
  expect(await api.either.call()).toEqual({})
})

it('cannot be left out of a call where the schema names no members', async () => {
  // @ts-expect-error -- any value is a body, and none is not
  const refused = await api.anything.try()
  expect(refused).toMatchObject({ ok: false, error: { status: 415 } })
  expect(await api.anything.call({ body: 'text' })).toBe('text')
})

it('is taken as an empty object from every client', async () => {
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-length': '0' }]) {
    const answer = await server.fetch('/list', { method: 'POST', headers })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
  }
})

it('is asked for where a member is not optional', async () => {
  expect((await server.fetch('/save', { method: 'POST' })).status).toBe(415)
})

it('that is there has to be JSON', async () => {
  const untyped = await server.fetch('/list', { method: 'POST', body: Buffer.from('{}') })
  expect(untyped.status).toBe(415)
  const form = await server.fetch('/list', {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
  })
  expect(form.status).toBe(415)
})

it('is sent as an empty object where what is missing has a default, which the handler gets', async () => {
  expect(await api.defaulted.call()).toEqual({ size: 10, tags: [] })
  expect(await api.defaulted.call({ body: { size: 3 } })).toEqual({ size: 3, tags: [] })
})

it('is optional in the OpenAPI document, too', async () => {
  const { paths } = await (await server.fetch('/_core/openapi.json')).json()
  expect(paths).toMatchObject({
    '/list': { post: { requestBody: { required: false } } },
    '/joined': { post: { requestBody: { required: false } } },
    '/save': { post: { requestBody: { required: true } } },
  })
  const { schema } = paths['/joined'].post.requestBody.content['application/json']
  expect(schema.allOf[1]).not.toHaveProperty('required')
})

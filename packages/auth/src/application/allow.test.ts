import { randomUUID } from 'node:crypto'
import {
  accessTable,
  defineMiddleware,
  defineRouter,
  defineServer,
  documentedRoutes,
  NotFoundError,
  openApi,
  UnauthorizedError,
} from '@svc/core'
import { route, t } from '@svc/core/contract'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { getAuth, getOptionalAuth } from '../caller/caller.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { perMinute } from '../limits/contract.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { requirePermissions } from '../roles/roles.ts'
import { createAuthRouter } from '../router.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { allow, requireOwner } from './application.ts'

const partnerKey = { type: 'apiKey', in: 'header', name: 'X-Partner' }
const partner = defineMiddleware(
  'partner',
  (c, next) => {
    if (c.req.header('x-partner') !== 'yes') throw new UnauthorizedError()
    return next()
  },
  { documents: { credentials: [{ partnerKey }], errors: [UnauthorizedError] } },
)

const get = (path: string) =>
  route.get(path).handler((c) => ({ userId: getOptionalAuth(c)?.userId ?? null }))

/** By id, and by the user who has it. */
const orders = new Map<string, { id: string; userId: string | null }>()

const routes = {
  order: allow.bearer(
    route
      .get('/orders/:orderId')
      .input({ params: t.Object({ orderId: t.String() }) })
      .errors(NotFoundError)
      .handler(async (c) => {
        const { orderId } = (await c.data()).params
        return requireOwner(c, orders.get(orderId), {
          resource: 'Order',
          ownerId: ({ userId }) => userId,
        })
      }),
  ),
  open: allow.public(get('/public')),
  maybe: allow.optional(get('/optional')),
  keys: allow.anyKey(get('/any-key')),
  people: allow.bearer(get('/bearer')),
  proved: allow.stepUp(get('/step-up')),
  fresh: allow.fresh(
    route
      .post('/fresh')
      .input({ body: t.Object({ currentPassword: t.Optional(t.String()) }) })
      .handler((c) => ({ userId: getAuth(c).userId })),
  ),
  pay: allow.fresh(
    route
      .post('/pay')
      .input({ body: t.Object({ currentPassword: t.Optional(t.String()) }) })
      .idempotent()
      .handler(() => ({ at: randomUUID() })),
  ),
  editors: allow.role('editor', 'superadmin')(get('/role')),
  top: allow.superadmin(get('/superadmin')),
  read: allow.may('post:read')(get('/may')),
  both: allow.may('post:read', 'post:write')(get('/may-both')),
  either: allow.mayAny('post:read', 'post:write')(get('/may-any')),
  partners: allow.by(partner)(get('/partner')),
  within: allow.anyKey(get('/own').use([requirePermissions('post:read')])),
}

const mounted = defineRouter({ closed: get('/mounted') })
const permissions = ['post:read', 'post:write'].map((name) => ({
  name,
  displayName: name,
  category: 'post',
}))
const definition = defineServer()
  .routes(createAuthRouter({ routes }).packages([mounted]))
  .lifecycle(
    createAuthLifecycle({
      permissions,
      roles: [{ name: 'editor', displayName: 'Editor', priority: 40 }],
      rolePermissions: { editor: ['post:read'], admin: ['post:read', 'post:write'] },
      templates: { 'new-device': null },
    }),
  )
const auth = await startTestAuth({ definition })
afterAll(() => auth.stop())

const editor = await auth.signedInUser({ role: 'editor' })
const admin = await auth.signedInUser({ role: 'admin' })
const user = await auth.signedInUser()
const machine = await machineOf(auth, editor, { permissions: ['post:read'] })

async function ask(path: string, key?: TestKey, body?: object) {
  const url = `${auth.server.url}${path}`
  const request = { method: body ? 'POST' : 'GET', url, body: body ? JSON.stringify(body) : '' }
  const signed = key ? await auth.signerOf(key)(request) : {}
  const headers = { ...signed, ...(body && { 'content-type': 'application/json' }) }
  return fetch(url, { method: request.method, headers, ...(body && { body: request.body }) })
}

const statusOf = async (path: string, key?: TestKey) => (await ask(path, key)).status

describe('a route that declares its access', () => {
  it.each([
    ['/public', [200, 200, 200, 200, 200]],
    ['/optional', [200, 200, 200, 200, 403]],
    ['/any-key', [401, 200, 200, 200, 200]],
    ['/bearer', [401, 200, 200, 200, 403]],
    ['/step-up', [401, 200, 200, 200, 403]],
    ['/role', [401, 403, 200, 403, 403]],
    ['/superadmin', [401, 403, 403, 403, 403]],
    ['/may', [401, 403, 200, 200, 200]],
    ['/may-both', [401, 403, 403, 200, 403]],
    ['/may-any', [401, 403, 200, 200, 200]],
    ['/own', [401, 403, 200, 200, 200]],
    ['/mounted', [401, 200, 200, 200, 200]],
  ])(
    'answers no caller, user, editor, admin and a machine of the editor at %s with %j (A-322)',
    async (path, expected) => {
      const callers = [undefined, user.key, editor.key, admin.key, machine]
      const answers = await Promise.all(callers.map((key) => statusOf(path, key)))
      expect(answers).toEqual(expected)
    },
  )

  it('keeps what the route says of itself besides', () => {
    expect(allow.bearer(get('/x').stale()).binding.isStale).toBe(true)
  })

  it('gives the handler its caller', async () => {
    const whoAsks = async (path: string, key?: TestKey) => (await ask(path, key)).json()
    expect(await whoAsks('/bearer', user.key)).toEqual({ userId: user.userId })
    expect(await whoAsks('/optional', user.key)).toEqual({ userId: user.userId })
    expect(await whoAsks('/optional')).toEqual({ userId: null })
    expect(await whoAsks('/public', user.key)).toEqual({ userId: null })
  })

  it('takes a middleware of its own', async () => {
    const answer = await fetch(`${auth.server.url}/partner`, { headers: { 'x-partner': 'yes' } })
    expect(answer.status).toBe(200)
    expect(await statusOf('/partner', admin.key)).toBe(401)
  })

  it('asks for a fresh proof, or for the password in the same call', async () => {
    expect((await ask('/fresh', user.key, {})).status).toBe(200)
    auth.clock.advance('2h')
    const stale = await ask('/fresh', user.key, {})
    expect(stale.status).toBe(403)
    expect(await stale.json()).toMatchObject({
      error: { code: 'RecentAuthenticationRequiredError' },
    })
    const wrong = await ask('/fresh', user.key, { currentPassword: 'wrong' })
    expect(wrong.status).toBe(401)
    const proved = await ask('/fresh', user.key, { currentPassword: user.password })
    expect(proved.status).toBe(200)
  })

  it('asks for that proof also where an answer was kept for the key of the request', async () => {
    const headers = { 'idempotency-key': 'pay-1' }
    const pay = async (key: TestKey, body: object) => {
      const url = `${auth.server.url}/pay`
      const text = JSON.stringify(body)
      const signed = await auth.signerOf(key)({ method: 'POST', url, body: text })
      const type = { 'content-type': 'application/json' }
      return fetch(url, { method: 'POST', headers: { ...headers, ...signed, ...type }, body: text })
    }
    const payer = await auth.signedInUser()
    const paid = await pay(payer.key, {})
    expect(paid.status).toBe(200)
    const { at } = await paid.json()
    expect(await (await pay(payer.key, {})).json()).toEqual({ at })
    auth.clock.advance('2h')
    expect((await pay(payer.key, {})).status).toBe(403)
  })

  it('is documented with its credentials and permissions', () => {
    const { paths } = openApi(documentedRoutes(definition), { title: 'x', version: '1' }) as {
      paths: Record<string, Record<string, object>>
    }
    expect(paths['/public']?.get).toMatchObject({ security: [] })
    expect(paths['/optional']?.get).toMatchObject({ security: [{ requestJwt: [] }, {}] })
    expect(paths['/may-both']?.get).toMatchObject({
      security: [{ requestJwt: [] }],
      'x-svc-permissions': ['post:read', 'post:write'],
    })
    expect(paths['/partner']?.get).toMatchObject({ security: [{ partnerKey: [] }] })
  })
})

describe('requireOwner', () => {
  it('gives the owner what was loaded, and one 404 for what is missing, foreign or without an owner', async () => {
    orders.set('mine', { id: 'mine', userId: user.userId })
    orders.set('theirs', { id: 'theirs', userId: editor.userId })
    orders.set('unowned', { id: 'unowned', userId: null })
    expect(await (await ask('/orders/mine', user.key)).json()).toEqual(orders.get('mine'))
    const refusalOf = async (id: string) => {
      const answer = await ask(`/orders/${id}`, user.key)
      const requestId = answer.headers.get('x-request-id') ?? ''
      expect(requestId).not.toBe('')
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      const whole = JSON.stringify([answer.status, headers, await answer.text()])
      return whole.replaceAll(requestId, 'id')
    }
    const missing = await refusalOf('none')
    expect(missing).toContain('Order not found')
    expect(await refusalOf('theirs')).toBe(missing)
    expect(await refusalOf('unowned')).toBe(missing)
    expect(await statusOf('/orders/mine')).toBe(401)
  })
})

describe('a route of an application with a limit', () => {
  const limited = {
    ask: allow.public(
      route
        .post('/ask')
        .input({ body: t.Object({ of: t.String() }) })
        .limit(perMinute(2), 'by address')
        .handler(() => 'asked'),
    ),
    look: allow.optional(get('/look').limit(perMinute(3), 'by address')),
    mine: allow.bearer(get('/mine').limit(perMinute(2), 'by caller')),
    free: allow.public(get('/free')),
  }
  const limitedDefinition = defineServer()
    .routes(createAuthRouter({ routes: limited }))
    .lifecycle(createAuthLifecycle({ templates: { 'new-device': null } }))

  it('is counted by address on all instances, before its body is read, and apart from others', async () => {
    const counting = await startTestAuth({
      definition: limitedDefinition,
      env: { SVC_RATE_LIMIT: 'on' },
    })
    onTestFinished(() => counting.stop())
    const other = await counting.secondInstance()
    const post = (at: { url: string }, body: string) =>
      fetch(`${at.url}/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    expect((await post(counting.server, '{ "of": "prices" }')).status).toBe(200)
    expect((await post(other, '{ "of": "prices" }')).status).toBe(200)
    const refused = await post(other, 'no JSON')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.json()).toMatchObject({ error: { code: 'TooManyRequestsError' } })
    const looks = await Promise.all([1, 2, 3, 4].map(() => fetch(`${other.url}/look`)))
    expect(looks.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 429,
    ])
    expect((await fetch(`${counting.server.url}/free`)).status).toBe(200)
  })

  it('is counted by the account, on all of its devices and instances', async () => {
    const counting = await startTestAuth({
      definition: limitedDefinition,
      env: { SVC_RATE_LIMIT: 'on' },
    })
    onTestFinished(() => counting.stop())
    const other = await counting.secondInstance()
    const caller = await counting.signedInUser()
    const laptop = await counting.signIn(caller)
    const look = async (key: TestKey, { url }: { url: string }) => {
      const request = { method: 'GET', url: `${url}/mine`, body: '' }
      return (await fetch(request.url, { headers: await counting.signerOf(key)(request) })).status
    }
    expect([await look(caller.key, counting.server), await look(laptop, other)]).toEqual([200, 200])
    expect([await look(laptop, counting.server), await look(caller.key, other)]).toEqual([429, 429])
    const { key } = await counting.signedInUser()
    expect(await look(key, other)).toBe(200)
    // A caller who is not let in is not counted.
    expect((await fetch(`${other.url}/mine`)).status).toBe(401)
  })

  it('is refused at boot where a caller may be unknown', () => {
    const anyone = allow.optional(get('/x').limit(perMinute(1), 'by caller'))
    const boot = () =>
      documentedRoutes(defineServer().routes(createAuthRouter({ routes: { anyone } })))
    expect(boot).toThrow(
      /"anyone" \(GET \/x\) has a limit 'by caller', and needs to know its caller/,
    )
  })

  it('is documented with the refusal, and in the table of access', () => {
    const { paths } = openApi(documentedRoutes(limitedDefinition), {
      title: 'x',
      version: '1',
    }) as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    expect(paths['/ask']?.post?.responses).toHaveProperty('429')
    expect(paths['/free']?.get?.responses).not.toHaveProperty('429')
    const counted = accessTable(documentedRoutes(limitedDefinition)).map(
      (row) => [row.name, row.counted] as const,
    )
    expect(Object.fromEntries(counted)).toMatchObject({
      ask: '2 calls a minute from each address',
      mine: '2 calls a minute from each caller',
      free: null,
    })
  })
})

describe('allow', () => {
  it('refuses a route that says twice who may call it', () => {
    const twice = 'GET /x says who may call it twice: "bearer" and "public". Leave one of them out.'
    expect(() => allow.public(allow.bearer(get('/x')))).toThrow(twice)
    const both = 'GET /x says who may call it twice: "partner" and "public"'
    expect(() => allow.public(get('/x').use([{ ...partner, skips: ['auth'] }]))).toThrow(both)
  })

  it('refuses a middleware that does not say how it knows its callers', () => {
    const silent = defineMiddleware('silent', (_c, next) => next())
    expect(() => allow.by(silent)).toThrow('allow.by(silent): the middleware does not say how')
  })
})

describe('createAuthRouter', () => {
  it('refuses routes that do not say who may call them, all at once', () => {
    const undeclared = { one: get('/one'), two: get('/two'), three: allow.public(get('/three')) }
    // @ts-expect-error -- two of them say nothing
    expect(() => createAuthRouter({ routes: undeclared })).toThrow(
      [
        'The server definition has problems:',
        '  Route "one" (GET /one) does not say who may call it. Declare it with `allow` of @svc/auth/server, for example allow.bearer(route…).',
        '  Route "two" (GET /two) does not say who may call it. Declare it with `allow` of @svc/auth/server, for example allow.bearer(route…).',
      ].join('\n'),
    )
  })

  it('keeps a misspelled permission from starting, and names the nearest', async () => {
    const misspelled = createAuthRouter({ routes: { one: allow.may('post:raed')(get('/one')) } })
    const start = startTestAuth({
      definition: defineServer().routes(misspelled).lifecycle(createAuthLifecycle({ permissions })),
    })
    await expect(start).rejects.toThrow(
      'Route "one" asks for the permission "post:raed", which is not declared. Did you mean "post:read"?',
    )
  })
})

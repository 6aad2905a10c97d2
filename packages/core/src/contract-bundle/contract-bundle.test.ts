import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConflictError, NotFoundError, type Route, route, t } from '../contract.ts'
import { routeTable } from '../routes/route-table.ts'
import { type DeviceContract, defineRouter, type Router, type Routes } from '../routes/router.ts'
import { contractBundle, contractsOf } from './contract-bundle.ts'

const Size = t.Union([t.Literal('small'), t.Literal('large')])
const Order = t.Object({ orderId: t.String(), size: Size, madeAtMillis: t.Integer() })
const profile = { name: 'clientProofV1', headers: { keyId: 'x-svc-key-id' } }
const contract = { name: 'shop', version: '1.0.0', types: { Size, Order }, profile }

const bind = (declared: Route) => declared.handler(() => ({}))
const routes = {
  removeOrder: bind(
    route
      .post('/orders/:orderId/remove')
      .input({ params: t.Object({ orderId: t.String() }), body: t.Object({}) })
      .answer(t.Undefined(), 204)
      .errors(NotFoundError, ConflictError)
      .inContract('orders.remove', { proof: true }),
  ),
  addOrder: bind(
    route
      .post('/orders')
      .input({
        body: t.Object({ size: t.Optional(Size), more: t.Record(t.String(), t.Unknown()) }),
      })
      .answer(t.Array(Order), 201, 202)
      .inContract('orders.add', { proof: true }),
  ),
  listOrders: bind(route.get('/orders')),
}

function bundleOf(router: Router) {
  const table = routeTable(router)
  const [first] = contractsOf(table)
  return contractBundle(table, first as DeviceContract)
}

const bundle = bundleOf(defineRouter(routes, { contract }))
const one = (name: string) => bundle.operations.find((operation) => operation.name === name)

describe('contractBundle', () => {
  it('has the operations that are marked, by name, after the time that a device has to know (A-207)', () => {
    expect(bundle).toMatchObject({ contract: 'shop', contractVersion: '1.0.0', profile })
    expect(bundle.operations.map(({ name }) => name)).toEqual([
      'core.time',
      'orders.add',
      'orders.remove',
    ])
    expect(one('core.time')).toEqual({
      name: 'core.time',
      operationId: 'coreTime',
      method: 'GET',
      path: '/_core/time',
      proof: false,
      input: {},
      answers: {
        200: {
          type: 'object',
          properties: { serverTimeMillis: { type: 'integer' } },
          required: ['serverTimeMillis'],
        },
      },
      errors: [],
    })
  })

  it('says what an operation takes, answers and refuses with', () => {
    expect(one('orders.remove')).toEqual({
      name: 'orders.remove',
      operationId: 'removeOrder',
      method: 'POST',
      path: '/orders/{orderId}/remove',
      proof: true,
      input: {
        params: {
          type: 'object',
          properties: { orderId: { type: 'string' } },
          required: ['orderId'],
        },
        body: { type: 'object', properties: {} },
      },
      answers: { 204: null },
      errors: ['ConflictError', 'NotFoundError', 'ValidationError'],
    })
    expect(bundle.errors).toEqual({
      ConflictError: { status: 409 },
      NotFoundError: { status: 404 },
      ValidationError: { status: 400 },
    })
  })

  it('names a schema wherever it is written as a named one is, inside of another too', () => {
    const listed = { type: 'array', items: { $ref: '#/types/Order' } }
    expect(one('orders.add')?.answers).toEqual({ 201: listed, 202: listed })
    expect(one('orders.add')?.input).toMatchObject({
      body: { properties: { size: { $ref: '#/types/Size' } }, required: ['more'] },
    })
    expect(bundle.types).toMatchObject({
      Order: { properties: { size: { $ref: '#/types/Size' } } },
      Size: { type: 'string', enum: ['large', 'small'] },
    })
  })

  it('is the same text in whichever order things are written', () => {
    const { madeAtMillis, size, orderId } = Order.properties
    const reordered = t.Object({ madeAtMillis, size, orderId })
    const turned = defineRouter(
      {
        listOrders: routes.listOrders,
        addOrder: bind(
          route
            .post('/orders')
            .input({
              body: t.Object({ more: t.Record(t.String(), t.Unknown()), size: t.Optional(Size) }),
            })
            .answer(t.Array(reordered), 201, 202)
            .inContract('orders.add', { proof: true }),
        ),
        removeOrder: routes.removeOrder,
      },
      { contract: { ...contract, types: { Order: reordered, Size } } },
    )
    expect(JSON.stringify(bundleOf(turned))).toBe(JSON.stringify(bundle))
  })

  it('takes schemas of other libraries', () => {
    const add = route
      .post('/orders')
      .input({ body: z.object({ size: z.enum(['small', 'large']) }) })
      .answer(z.object({ count: z.string().transform(Number).pipe(z.int()) }))
      .inContract('orders.add', { proof: false })
    const { operations } = bundleOf(defineRouter({ add: bind(add) }, { contract }))
    expect(operations[1]).toMatchObject({
      input: { body: { properties: { size: { $ref: '#/types/Size' } } } },
      answers: { 200: { properties: { count: { type: 'integer' } } } },
    })
  })

  it('is one for each router with a contract, and has the routes of routers beneath without one', () => {
    const beneath = defineRouter({ ping: bind(ping('ping')) })
    const mounted = defineRouter(routes, { contract }).packages([beneath])
    const own = { name: 'app', version: '2.0.0' }
    const table = routeTable(
      defineRouter({ pong: bind(ping('pong')) }, { contract: own }).packages([mounted]),
    )
    const bundles = contractsOf(table).map((each) => contractBundle(table, each))
    expect(bundles.map(({ operations }) => operations.map(({ name }) => name))).toEqual([
      ['core.time', 'pong'],
      ['core.time', 'orders.add', 'orders.remove', 'ping'],
    ])
    expect(bundles[0]).not.toHaveProperty('profile')
  })
})

const ping = (name: string) =>
  route.get(`/${name}`).answer(t.Object({})).inContract(name, { proof: false })

describe('a contract is refused', () => {
  const { profile: _profile, ...profileless } = contract

  it.each<[what: string, routes: Routes, contract: DeviceContract | undefined, said: string]>([
    [
      'whose router does not name it',
      { ping: bind(ping('ping')) },
      undefined,
      'Route "ping" is in a contract that its router does not name',
    ],
    [
      'with a name twice',
      { a: bind(ping('ping')), b: bind(ping('pong').inContract('ping', { proof: false })) },
      contract,
      'Route "b" is "ping" in the contract, as another is.',
    ],
    [
      'without an answer',
      { a: bind(route.get('/a').inContract('a', { proof: false })) },
      contract,
      'Route "a" is in the contract: declare its answer',
    ],
    [
      'that does not say what a proof is',
      routes,
      profileless,
      'Route "addOrder" takes a proof: its contract needs the profile',
    ],
    [
      'with two names of one schema',
      routes,
      { ...contract, types: { Size, Measure: Size } },
      'The types "Measure" and "Size" are the same schema.',
    ],
  ])('%s', (_what, marked, named, said) => {
    expect(() => bundleOf(defineRouter(marked, named ? { contract: named } : {}))).toThrow(said)
  })
})

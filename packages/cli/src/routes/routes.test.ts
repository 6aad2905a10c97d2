import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

const shop = `import { allow, authenticate, createAuthLifecycle, createAuthRouter, optionalAuth, requirePermissions } from '@svc/auth/server'
import { defineMiddleware, defineRouter, defineServer, route } from '@svc/core'

const get = (path) => route.get(path).handler(() => ({}))
const silent = defineMiddleware('silent', (_c, next) => next())
const mounted = defineRouter({
  behind: get('/behind'),
  asks: get('/asks').use([requirePermissions('order:read')]),
  looks: get('/looks').use([optionalAuth]),
  open: get('/open').skip(['auth']),
  unknown: get('/unknown').skip(['auth']).use([silent]),
})
const routes = {
  listOrders: allow.public(get('/orders')),
  getOrder: allow.may('order:read')(get('/orders/:orderId')),
}

export default defineServer()
  .routes(createAuthRouter({ routes }).packages([mounted]))
  .lifecycle(createAuthLifecycle())
`

let application: TestApplication
beforeAll(async () => {
  application = await createApplication({ ...orders, 'shop.ts': shop })
})
afterAll(() => application.remove())

/** The rows of the table, by the name of the route. */
async function rowsOf(args: string[]) {
  const { code, stdout, stderr } = await application.svc(['routes', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
  return new Map(rows.map((cells) => [cells[2], cells.join(' | ')]))
}

describe('svc routes', () => {
  it('prints who may call each route, the limit, and where only the middleware says it', async () => {
    const rows = await rowsOf(['--server', 'shop.ts'])
    const shown = ['listOrders', 'getOrder', 'behind', 'asks', 'looks', 'open', 'unknown']
    const ours = ['login', 'logout', 'listAuditEvents', 'coreHealth']
    expect(
      ['Name', ...shown, ...ours].map((name) => rows.get(name)).join('\n'),
    ).toMatchInlineSnapshot(`
      "Method | Path | Name | Who may call | Limit
      GET | /orders | listOrders | public
      GET | /orders/:orderId | getOrder | may order:read
      GET | /behind | behind | (requestJwt)
      GET | /asks | asks | (requestJwt, may order:read)
      GET | /looks | looks | (requestJwt or public)
      GET | /open | open | (public)
      GET | /unknown | unknown | (unknown)
      POST | /_auth/login | login | public | login by address
      POST | /_auth/logout | logout | any-key
      GET | /_auth/admin/audit | listAuditEvents | may audit:read
      GET | /_core/health | coreHealth | (public)"
    `)
  })

  it('prints the same as JSON', async () => {
    const { stdout } = await application.svc(['routes', '--json', '--server', 'shop.ts'])
    const rows = JSON.parse(stdout) as { name: string }[]
    expect(rows.find(({ name }) => name === 'getOrder')).toEqual({
      method: 'GET',
      path: '/orders/:orderId',
      name: 'getOrder',
      access: 'may order:read',
      credentials: [['requestJwt']],
      permissions: ['order:read'],
      counted: null,
    })
    expect(rows.find(({ name }) => name === 'login')).toMatchObject({
      access: 'public',
      credentials: [],
      counted: 'login by address',
    })
    expect(rows.find(({ name }) => name === 'unknown')).toMatchObject({
      access: null,
      credentials: null,
    })
  })

  it('prints the routes of an application without sign-in', async () => {
    const rows = await rowsOf([])
    expect(rows.get('getOrder')).toBe('GET | /orders/:orderId | getOrder | (public)')
  })
})

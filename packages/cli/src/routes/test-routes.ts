import { afterAll, beforeAll, expect } from 'vitest'
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

/** An application with routes of each kind, for the tests of one file. */
export function useRoutes() {
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
  return {
    get application() {
      return application
    },
    rowsOf,
  }
}

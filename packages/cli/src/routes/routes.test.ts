import { describe, expect, it } from 'vitest'
import { useRoutes } from './test-routes.ts'

const test = useRoutes()
const { rowsOf } = test

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
})

it('svc tools says of an application without tools how to offer some', async () => {
  const { code, stdout, stderr } = await test.application.svc(['tools'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The application offers no tools')
})

import { describe, expect, it } from 'vitest'
import { useRoutes } from './test-routes.ts'

const test = useRoutes()
const { rowsOf } = test

describe('svc routes', () => {
  it('prints the same as JSON', async () => {
    const { stdout } = await test.application.svc(['routes', '--json', '--server', 'shop.ts'])
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

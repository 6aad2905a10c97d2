import { BadRequestError, ForbiddenError, NotFoundError, UnauthorizedError } from '@svc/core/client'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequirePermission, RequireRole } from '../next.ts'
import { onPageFailure } from '../outage/outage.ts'
import { startTestWeb } from '../test-browser.ts'
import { refusedStatus } from './client.ts'
import { pageRefusal, refusePage } from './server-api.ts'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const web = await startTestWeb()
afterAll(web.api.stop)
beforeEach(() => {
  // The API's clock stands still, and a page signs with the machine's.
  web.api.clock.set(new Date())
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

const page = web.browser()
await page.call('login', await web.api.createUser())
request.headers = new Headers({ cookie: page.cookieHeader() })

/** By the digest of what a page throws, Next knows what to answer. */
const digestOf = (shown: Promise<unknown>) =>
  shown.then(
    () => 'shown',
    (thrown: unknown) => (thrown as { digest?: string }).digest,
  )
const lacked = { children: 'secret', roles: ['superadmin'], permissions: ['user:read'] }

describe.each([
  ['RequireRole', (given: object) => RequireRole({ ...lacked, ...given })],
  ['RequirePermission', (given: object) => RequirePermission({ ...lacked, ...given })],
])('%s', (_name, show) => {
  it('sends a user who lacks it elsewhere (A-324)', async () => {
    expect(await digestOf(show({}))).toContain(';/;307')
    expect(await digestOf(show({ deniedPath: '/no' }))).toContain(';/no;307')
  })

  it('shows them words with status 403 where it is given some', async () => {
    const noted = vi.fn()
    onPageFailure(noted)
    expect(await show({ denied: 'Not for you' })).toBe('Not for you')
    expect(noted.mock.calls).toEqual([[{ status: 403, insteadOf: 200 }]])
  })
})

it('RequireRole shows a page to a user who has the role beside a higher one (A-324)', async () => {
  const [own, several] = [request.headers, web.browser()]
  await several.call('login', await web.api.createUser({ role: 'admin', otherRoles: ['user'] }))
  request.headers = new Headers({ cookie: several.cookieHeader() })
  expect(await RequireRole({ children: 'secret', roles: ['user'] })).toBe('secret')
  expect(await digestOf(RequireRole({ children: 'secret', roles: ['superadmin'] }))).toContain(
    '307',
  )
  request.headers = own
})

describe('what the API refuses a page', () => {
  const refusals = [new ForbiddenError(), new BadRequestError(), new UnauthorizedError()]
  it.each(refusals)('keeps its class: $status', (refused) => {
    expect(pageRefusal(refused)).toBe(refused)
    expect(refusedStatus(refused as { digest?: string })).toBe(refused.status)
    expect(refusePage(refused)).toBe(refused.status)
  })

  it('is thrown again if it is no fault of the user', () => {
    const missing = new NotFoundError({ resource: 'Notice' })
    expect(refusedStatus(pageRefusal(missing) as { digest?: string })).toBeNull()
    expect(() => refusePage(missing)).toThrow(missing)
  })
})

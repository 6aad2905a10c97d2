import { afterAll, afterEach, expect, it } from 'vitest'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const { router, routeMap } = testOperations({
  setSessionBinding: ({ body: { mode } }) =>
    mode === 'refused'
      ? { status: 401, body: { __type: 'PasskeyVerificationError' } }
      : { body: { mode } },
  sessionRenewVerify: async ({ body: { email, password, ...key } }) => {
    const { body } = await web.api.call('login', { ...key, email, password })
    return { body: { ...body, keyId: key.keyId } }
  },
})
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)
afterEach(() => web.api.clock.set(new Date()))

async function signedIn() {
  const user = await web.api.createUser()
  const page = web.browser()
  await page.call('login', user)
  return { user, page }
}

/** Whether the session is still there, to be renewed, when its key has run out. */
async function outlivesItsKey(page: TestBrowser) {
  web.api.clock.advance('91d')
  expect((await page.call('getAuthSession')).status).toBe(401)
  web.api.clock.set(new Date())
  return page.cookies.has('svc_session')
}

it('a session whose key is bound to a passkey is still there when the key has run out', async () => {
  const { page } = await signedIn()
  expect((await page.call('setSessionBinding', { mode: 'passkey' })).status).toBe(200)
  expect((await page.call('getAuthSession')).status).toBe(200)
  expect(await outlivesItsKey(page)).toBe(true)
})

it('one that is bound no more, or was refused to be, is not', async () => {
  const { page } = await signedIn()
  await page.call('setSessionBinding', { mode: 'passkey' })
  await page.call('setSessionBinding', { mode: 'none' })
  expect(await outlivesItsKey(page)).toBe(false)

  const other = await signedIn()
  const refused = await other.page.call('setSessionBinding', { mode: 'refused' })
  expect(refused.headers.getSetCookie()).toEqual([])
  expect(await outlivesItsKey(other.page)).toBe(false)
})

it('stays bound when it is renewed, and when its key is rotated', async () => {
  const { user, page } = await signedIn()
  await page.call('setSessionBinding', { mode: 'passkey' })
  expect((await page.call('sessionRenewVerify', user)).status).toBe(200)
  expect((await page.call('rotateKey', {})).status).toBe(200)
  expect(await outlivesItsKey(page)).toBe(true)
})

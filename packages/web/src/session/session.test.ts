import { createPortableKey } from '@svc/auth'
import { defineRouter, route, routeMapOf } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestWeb, testSecret } from '../test-browser.ts'
import { Sealer } from './sealer.ts'

const router = defineRouter({ greet: route.get('/greeting').handler(() => ({ hello: 'you' })) })
const { api, browser } = await startTestWeb({ router, routeMap: routeMapOf(router) })
afterAll(api.stop)

describe('a session', () => {
  it('begins with a key that the proxy makes, and signs what is called from then on (A-327, A-328)', async () => {
    const { email, password } = await api.createUser()
    const page = browser()
    const answer = await page.call('login', { email, password })
    expect(answer.status).toBe(200)
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])

    const session = await page.call('getAuthSession')
    expect(await session.json()).toMatchObject({ email })
    const { keys } = await (await page.call('listKeys', {})).json()
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatchObject({ platform: 'web', algorithm: 'ES256' })
  })

  it('is for the application’s own operations too, through the same proxy (A-330)', async () => {
    const page = browser()
    expect((await page.call('greet')).status).toBe(401)
    await page.call('login', await api.createUser())
    expect(await (await page.call('greet')).json()).toEqual({ hello: 'you' })
  })

  it('ends with its key', async () => {
    const page = browser()
    await page.call('login', await api.createUser())
    expect((await page.call('logout')).status).toBe(204)
    // Signing out keeps the cookie of known browsers.
    expect([...page.cookies.keys()]).toEqual(['svc_known'])
    expect((await page.call('getAuthSession')).status).toBe(401)
  })

  it('is not accepted without a key that the API knows, though the session secret opens it (A-049)', async () => {
    const sealer = new Sealer(testSecret)
    const { registration: _, ...key } = await createPortableKey()
    const user = await api.createUser()
    const sealed = await sealer.seal('session', { userId: user.userId, ...key }, Date.now() + 1000)
    const page = browser()
    page.cookies.set('svc_session', sealed)
    expect((await page.call('getAuthSession')).status).toBe(401)
    // It was opened: what does not open is left where it is.
    expect(page.cookies.has('svc_session')).toBe(false)
  })
})

import { createPortableKey } from '@svc/auth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sealSession } from '../../../../scripts/browser/seal-session.ts'
import { serveUntilReady } from '../../../../scripts/browser/serve-web-app.ts'
import { ask, cookiesOf } from './ask.ts'
import { app } from './running-web-app.ts'
import { freeAddress, sessionSecret } from './test-web-app.ts'

const keyLife = 90 * 86_400_000

/** A session whose key was registered so long ago. */
async function sessionOfAge(millis: number, isBound: boolean) {
  const { userId, email, password } = await app.api.createUser()
  const { registration, ...key } = await createPortableKey()
  const { status } = await app.clock.at(new Date(Date.now() - millis), () =>
    app.api.call('login', { email, password, ...registration }),
  )
  expect(status).toBe(200)
  const session = { userId, ...key, ...(isBound && { isBound }) }
  return { cookie: `svc_session=${await sealSession(sessionSecret, session)}` }
}

describe('a session whose key has run out', () => {
  it('is renewed when it is bound to a passkey (A-325)', async () => {
    expect((await ask('/account', await sessionOfAge(keyLife - 60_000, true))).status).toBe(200)
    const { status, location } = await ask('/account', await sessionOfAge(keyLife, true))
    expect([303, 307]).toContain(status)
    expect(location).toBe('/auth/renew?returnTo=%2Faccount')
  })

  it('is over when it is not (A-325)', async () => {
    const session = await sessionOfAge(keyLife, false)
    const { location } = await ask('/account', session)
    expect(location).toBe('/login?returnTo=%2Faccount')
    expect((await ask(location, session)).body).toContain('You were signed out on this device.')
    expect((await ask(location)).body).not.toContain('You were signed out')
  })
})

describe('while the API is away', () => {
  it('a guarded page is an error, every session stays, and the rest is there (A-324)', async () => {
    const cookie = await cookiesOf(await app.api.createUser())
    const away = await freeAddress()
    const { url, stop } = await serveUntilReady({
      folder: app.folder,
      url: await freeAddress(),
      env: { ...app.env, SVC_AUTH_COOKIE_SECURE: 'off', SVC_API_URL: away },
    })
    onTestFinished(stop)

    for (const path of ['/account', '/live', '/admin/roles']) {
      const { status, location, setCookie } = await ask(path, { cookie }, url)
      expect({ status, location, setCookie }).toEqual({ status: 503, location: '', setCookie: [] })
    }
    const board = await ask('/', { cookie }, url)
    expect({ status: board.status, setCookie: board.setCookie }).toEqual({
      status: 200,
      setCookie: [],
    })
  })
})

import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { getSession, requireSession } from '../next.ts'
import { type BindingBrowser, signInBinding } from '../test-binding-browser.ts'
import { startTestWeb } from '../test-browser.ts'
import { sharedWebAuth } from '../web-auth.ts'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))
vi.mock('next/navigation.js', () => ({
  redirect: (path: string) => {
    throw new Error(`to ${path}`)
  },
}))

const web = await startTestWeb({ webEnv: { SVC_AUTH_DBSC: 'on' } })
afterAll(web.api.stop)
beforeEach(() => {
  web.api.clock.set(new Date())
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

/** Where a page that only the signed-in see sends a browser, or null where it is shown. */
async function sentTo({ page }: BindingBrowser, returnTo?: string) {
  request.headers = new Headers({ cookie: page.cookieHeader() })
  try {
    await requireSession({ loginPath: '/sign-in', ...(returnTo && { returnTo }) })
    return null
  } catch (error) {
    return (error as Error).message.replace(/^to /, '')
  }
}

/** Follows what a page answers, as a browser does that may get a proof before each of its own steps. */
async function followed(browser: BindingBrowser, path: string, between: () => unknown = () => {}) {
  const first = await browser.open(path)
  expect([first.status, first.headers.getSetCookie()]).toEqual([200, []])
  const [, again = ''] = /^0;url=(.*)$/.exec(first.headers.get('refresh') ?? '') ?? []
  await between()
  const second = await browser.open(again)
  return [second.status, second.headers.get('location')]
}

describe('a page for the signed-in, in a browser with a bound session', () => {
  it('is shown with the proof', async () => {
    const { user, browser } = await signInBinding(web)
    expect(await sentTo(browser, '/orders')).toBeNull()
    expect(await getSession()).toMatchObject({ email: user.email })
  })

  it('is shown once the browser has proved its key, which it does for pages of our own alone', async () => {
    const { browser } = await signInBinding(web)
    browser.page.cookies.delete('svc_session_proof')
    const path = (await sentTo(browser, '/orders?a=1')) ?? ''
    expect(path).toMatch(/^\/api\/session\/resume\?/)
    expect(await getSession()).toBeNull()
    expect(await followed(browser, path, () => browser.refresh())).toEqual([303, '/orders?a=1'])
    expect(await sentTo(browser, '/orders?a=1')).toBeNull()
  })

  it('is not shown to an attacker with a copy of the session’s cookie: they are sent to sign in', async () => {
    const { browser } = await signInBinding(web)
    browser.page.cookies.delete('svc_session_proof')
    const path = (await sentTo(browser, '/orders')) ?? ''
    expect(await followed(browser, path)).toEqual([303, '/sign-in?returnTo=%2Forders'])
    expect(await followed(browser, (await sentTo(browser)) ?? '')).toEqual([
      303,
      '/sign-in?returnTo=%2F',
    ])
  })

  it('is asked for once more while another key takes the place of the session’s', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    const { keyId } = await (await browser.call('getAuthSession')).json()
    const before = new Map(browser.page.cookies)
    await browser.register()
    const after = new Map(browser.page.cookies)
    for (const [name, value] of before) browser.page.cookies.set(name, value)
    expect(await sentTo(browser)).toMatch(/^\/sign-in/)
    sharedWebAuth().retired.add(keyId)
    const path = (await sentTo(browser)) ?? ''
    for (const [name, value] of after) browser.page.cookies.set(name, value)
    expect(await followed(browser, path)).toEqual([303, '/'])
  })

  it('sends a signed-out user to sign in at once', async () => {
    const { browser } = await signInBinding(web)
    browser.page.cookies.clear()
    expect(await sentTo(browser, '/orders')).toBe('/sign-in?returnTo=%2Forders')
  })
})

describe('the page in between', () => {
  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/%2f%2fevil.example'])(
    'leads nowhere else: %s',
    async (elsewhere) => {
      const { browser } = await signInBinding(web)
      const query = new URLSearchParams({ returnTo: elsewhere, loginPath: elsewhere })
      const path = `/api/session/resume?${query}`
      expect(await followed(browser, path)).toEqual([303, '/'])
      browser.page.cookies.clear()
      expect(await followed(browser, path)).toEqual([303, '/?returnTo=%2F'])
    },
  )

  it('writes what it is given as text', async () => {
    const { browser } = await signInBinding(web)
    const query = new URLSearchParams({ returnTo: '/"><script>', loginPath: '/login' })
    expect(await (await browser.open(`/api/session/resume?${query}`)).text()).not.toContain(
      '<script',
    )
  })

  it('is the only one that is there to be opened', async () => {
    const { browser } = await signInBinding(web)
    for (const path of ['/api/session/register', '/api/session/refresh', '/api/session/other']) {
      expect((await browser.open(path)).status).toBe(404)
    }
    expect((await browser.send('/api/session/resume')).status).toBe(404)
  })
})

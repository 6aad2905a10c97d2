import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import type { PageGlobals } from '../test-react-entry.ts'
import { startReactPage } from '../test-react-page.ts'

// The page's globals, for the functions that run in it.
declare const react: PageGlobals['react']
declare const web: PageGlobals['web']
declare const show: PageGlobals['show']

/** What the proxy answers to finalize, and what it was asked. */
let finalized: { status?: number; body: object }
const asked: string[] = []
const site = await startReactPage(async (request) => {
  asked.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`)
  return Response.json(finalized.body, { status: finalized.status ?? 200 })
})
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), site.stop()]))

const page = await browser.newPage()
await page.goto(site.url)
await page.waitForFunction('window.show')

beforeEach(() => {
  asked.length = 0
  finalized = { body: { mfaRequired: false, userId: 'u1' } }
})

interface Arrival {
  search?: string
  path?: string
}

/** Shows the page that a callback leads to. Going on to another does not load it. */
function arrive({ search = '', ...props }: Arrival = {}) {
  return page.evaluate(
    ([query, given]) => {
      history.replaceState(null, '', `/auth/callback${query}`)
      show(() =>
        react.createElement(web.OAuthCallback, {
          ...given,
          navigate: (path) => history.replaceState(null, '', path),
          children: (progress) => react.createElement('p', null, JSON.stringify(progress)),
        }),
      )
    },
    [search, props] as const,
  )
}

async function failure() {
  await page.getByText('failed').waitFor()
  return JSON.parse((await page.locator('p').textContent()) ?? '')
}

const isAt = (path: string) => page.waitForURL(`${site.url}${path}`, { waitUntil: 'commit' })

describe('OAuthCallback', () => {
  it('finishes the sign-in once, in strict mode too, and goes to where it began (A-271)', async () => {
    finalized.body = { mfaRequired: false, userId: 'u1', returnUrl: '/orders?page=2' }
    await arrive({ path: '/welcome' })
    await isAt('/orders?page=2')
    expect(asked).toEqual(['POST /api/rpc/finalize {"body":{}}'])
  })

  it('goes to the given path when there is none to come back to', async () => {
    await arrive({ path: '/welcome' })
    await isAt('/welcome')
  })

  it.each(['//evil.test/', 'https://evil.test/', '/\\evil.test', '/%5Cevil.test'])(
    'does not leave the site for %s',
    async (returnUrl) => {
      finalized.body = { mfaRequired: false, userId: 'u1', returnUrl }
      await arrive()
      await isAt('/')
    },
  )

  it('reloads the page unless it is told how to go on', async () => {
    const loaded = page.waitForEvent('load')
    await page.evaluate(() => {
      show(() => react.createElement(web.OAuthCallback, { path: '/anew', children: () => null }))
    })
    await loaded
    expect(page.url()).toBe(`${site.url}/anew`)
    await page.waitForFunction('window.show')
  })

  it('says by itself what goes on, and where to begin again', async () => {
    const bare = async (query: string) => {
      await page.evaluate((search) => {
        history.replaceState(null, '', `/auth/callback${search}`)
        const navigate = (path: string) => history.replaceState(null, '', path)
        show(() => react.createElement(web.OAuthCallback, { navigate }))
      }, query)
    }
    await bare('')
    expect(await page.getByRole('status').textContent()).toBe('Signing you in…')
    await bare('?error=expired')
    expect(await page.getByRole('alert').textContent()).toContain('took too long')
    const link = page.getByRole('link', { name: 'Back to sign-in' })
    expect(await link.getAttribute('href')).toBe('/login')
  })

  it('asks for the second factor first', async () => {
    finalized.body = { mfaRequired: true, returnUrl: '/orders' }
    await arrive()
    await isAt('/auth/mfa?returnTo=%2Forders')
  })

  it.each([
    ['expired', 'took too long'],
    ['state_invalid', 'started somewhere else'],
    ['cookie_missing', 'Allow cookies'],
    ['provider_error', 'Allow it there'],
    ['account_unavailable', 'can’t sign in'],
    ['email_unverified', 'link the other service'],
    ['registration_rejected', 'not create an account'],
    ['already_linked', 'Unlink it first'],
    ['another_linked', 'unlink the other one first'],
    ['unreachable', 'Try again in a minute'],
  ])('says in words what %s means, and finishes nothing', async (error, words) => {
    await arrive({ search: `?error=${error}` })
    expect(await failure()).toMatchObject({
      reason: error,
      message: expect.stringContaining(words),
    })
    expect(asked).toEqual([])
  })

  it.each(['toString', '__proto__', '<b>you have won</b>', ''])(
    'repeats nothing of an error that is none: %s',
    async (error) => {
      await arrive({ search: `?error=${encodeURIComponent(error)}` })
      expect(await failure()).toEqual({
        state: 'failed',
        reason: 'unknown',
        message: 'Signing in did not work. Try again, or sign in another way.',
      })
    },
  )

  it.each([
    [401, 'UnauthorizedError', 'expired'],
    [403, 'AccountDisabledError', 'account_unavailable'],
    [409, 'ConflictError', 'signed_in'],
    [503, 'ServiceUnavailableError', 'unreachable'],
    [500, 'Error', 'unknown'],
  ])('says what a refusal with %i %s means', async (status, __type, reason) => {
    finalized = { status, body: { __type } }
    await arrive()
    expect(await failure()).toMatchObject({ reason })
    expect(asked).toHaveLength(1)
  })
})

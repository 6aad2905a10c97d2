import type { AuthContract } from '@svc/auth'
import { createTestKey, type TestKey } from '@svc/auth/testing'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineMiddleware,
  defineServer,
  t,
} from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { createRpcProxy } from '../proxy.ts'
import { startTestWeb } from '../test-browser.ts'
import type { PageGlobals } from '../test-react-entry.ts'
import { startReactPage } from '../test-react-page.ts'

// The page's globals, for the functions that run in it.
declare const react: PageGlobals['react']
declare const client: PageGlobals['client']
declare const web: PageGlobals['web']
declare const show: PageGlobals['show']
declare let told: unknown[]
declare let finish: (error?: Error) => void
declare const mint: (user: string) => Promise<string>
declare const changeStream: (change: object) => Promise<{ events: string[] }>

const { api, env, proxy, browser: otherBrowser } = await startTestWeb()
let current = proxy
const site = await startReactPage((request) =>
  request.method === 'GET' ? current.GET(request) : current.POST(request),
)
const added = defineEvent('item.added', t.Object({ n: t.Integer() }))
const events = defineEventRouter({ added })
// A stream that is too old ends at its next ping.
const aging = defineServer().events(events, { pingInterval: 100 })
const streams = await startTestServer(aging.origins(site.url))
const roomSaid = defineChannel('room.said', t.Null(), { presence: true })
const rooms = await startTestServer(
  defineServer()
    .use([
      defineMiddleware('as-user', async (c, next) => {
        c.set('userId', c.req.header('x-user'))
        await next()
      }),
    ])
    .events(defineEventRouter({ roomSaid }), {
      auth: { enabled: true, channels: { roomSaid: () => true } },
    })
    .origins(site.url),
)
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), site.stop(), api.stop(), streams.stop(), rooms.stop()]))

const context = await browser.newContext()
const page = await context.newPage()
await page.goto(site.url)
await page.waitForFunction('window.show')

const user = await api.createUser()
const { email, password } = user
beforeEach(async () => {
  await context.clearCookies()
  await page.evaluate(() => {
    told = []
  })
})

const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
const see = (text: string) => page.getByText(text, { exact: true }).waitFor()
const wasTold = () => page.evaluate(() => told)
const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 10_000 })
const cookieNames = async () => (await context.cookies()).map(({ name }) => name).toSorted()

/** Signs the page’s browser in, and says with which key. */
async function signPageIn() {
  const tab = otherBrowser()
  await tab.call('login', { email, password })
  await context.addCookies(
    [...tab.cookies].map(([name, value]) => ({ name, value, url: site.url })),
  )
  return (await (await tab.call('getAuthSession')).json()).keyId
}

describe('useAction', () => {
  beforeEach(() =>
    page.evaluate(() => {
      show(() => {
        const action = web.useAction((word: string) => {
          told.push(word)
          return new Promise<string>((resolve, reject) => {
            finish = (error) => (error ? reject(error) : resolve(word))
          })
        })
        const run = async () => told.push(await action.run('ran'))
        const twice = () => [run(), run()]
        const state = `${action.isRunning} ${String(action.error)}`
        return react.createElement(
          'div',
          null,
          react.createElement('p', null, state),
          react.createElement('button', { onClick: () => twice() }, 'Run'),
          react.createElement('button', { onClick: action.reset }, 'Reset'),
        )
      })
    }),
  )

  it('has one run at a time, and tells a second click so', async () => {
    await see('false null')
    await click('Run')
    await see('true null')
    expect(await wasTold()).toEqual(['ran', null])
    await page.evaluate(() => finish())
    await see('false null')
    expect(await wasTold()).toEqual(['ran', null, 'ran'])
  })

  it('keeps the failure until it is forgotten, or runs again', async () => {
    await click('Run')
    await page.evaluate(() => finish(new Error('no')))
    await see('false Error: no')
    expect(await wasTold()).toEqual(['ran', null, null])
    await click('Reset')
    await see('false null')
    await click('Run')
    await page.evaluate(() => finish(new Error('again')))
    await see('false Error: again')
    await click('Run')
    await see('true null')
  })
})

describe('useSignIn and useSignOut', () => {
  beforeEach(() =>
    page.evaluate(
      (own) => {
        show(() => {
          const signIn = web.useSignIn({
            onAnswer: ({ mfaRequired }) => void told.push(mfaRequired),
          })
          const signOut = web.useSignOut({ onSignedOut: () => told.push('out') })
          const error = (signIn.error ?? signOut.error) as Error | null
          const button = (name: string, onClick: () => void) =>
            react.createElement('button', { key: name, onClick }, name)
          return [
            react.createElement('p', { key: 'p' }, `error: ${error?.name}`),
            react.createElement('p', { key: 'w' }, signIn.comesAt ? 'waits' : 'does not wait'),
            button('Sign in', () => void signIn.run(own)),
            button('Guess', () => void signIn.run({ ...own, password: 'not the password' })),
            button('Sign out', () => void signOut.run()),
          ]
        })
      },
      { email, password },
    ),
  )

  it('sign in through the proxy, which keeps the session, and out again', async () => {
    await click('Sign in')
    await eventually(wasTold).toEqual([false])
    expect(await cookieNames()).toEqual(['svc_csrf', 'svc_known', 'svc_session'])
    await click('Sign out')
    await eventually(wasTold).toEqual([false, 'out'])
    expect(await cookieNames()).toEqual(['svc_known'])
  })

  it('say why it failed, and answer nothing', async () => {
    await click('Guess')
    await see('error: InvalidCredentialsError')
    expect(await wasTold()).toEqual([])
    expect(await cookieNames()).toEqual([])
  })

  it('come back to the place in line that is kept, and tell when', async () => {
    const places: (string | undefined)[] = []
    await page.route('**/api/rpc/login', (route) => {
      places.push(route.request().headers()['x-svc-place'])
      if (places.length > 1) return route.continue()
      const body = { __type: 'ServiceUnavailableError', retryAfter: 2, place: 'a-place' }
      return route.fulfill({ status: 503, json: body })
    })
    await click('Sign in')
    await see('waits')
    await eventually(wasTold).toEqual([false])
    await page.unroute('**/api/rpc/login')
    await see('does not wait')
    expect(places).toEqual([undefined, 'a-place'])
    expect(await cookieNames()).toContain('svc_session')
  })

  it('do not say that a user is signed out who is not', async () => {
    await click('Sign in')
    await eventually(wasTold).toEqual([false])
    await page.route('**/api/rpc/logout', (route) => route.abort())
    await click('Sign out')
    await see('error: ApiUnreachableError')
    await page.unroute('**/api/rpc/logout')
    expect(await wasTold()).toEqual([false])
  })
})

describe('a route that a generated map lacks', () => {
  afterEach(() => {
    current = proxy
  })
  const showFailure = () =>
    page.evaluate(
      (own) => {
        show(() => {
          const bare = client.createApi<AuthContract>({ routeMap: {}, proxy: '/api/rpc' })
          const loading = web.useAction(() => bare.listKeys.call({ body: {} }))
          const signIn = web.useSignIn({ onAnswer: () => {} })
          const error = (loading.error ?? signIn.error) as Error | null
          const button = (name: string, onClick: () => void) =>
            react.createElement('button', { key: name, onClick }, name)
          return [
            react.createElement('p', { key: 'p' }, error?.message),
            button('Load', () => void loading.run()),
            button('Sign in', () => void signIn.run(own)),
          ]
        })
      },
      { email, password },
    )
  const said = () => page.locator('p').textContent()

  it('is named by the hook with what to run, where the page lacks it', async () => {
    await showFailure()
    await click('Load')
    await eventually(said).toMatch(
      /^"listKeys" is not in the route map: run "npx @svc\/cli generate"/,
    )
  })

  it('is answered with what to run, where the web app’s proxy lacks it', async () => {
    current = createRpcProxy({ routeMap: {}, apiUrl: api.url, env })
    await showFailure()
    await click('Sign in')
    await eventually(said).toMatch(/run "npx @svc\/cli generate".*createRpcProxy/)
  })
})

describe('useDevices', () => {
  async function showDevices() {
    const keyId = await signPageIn()
    await page.evaluate((own) => {
      show(() => {
        const { devices, revoking, revokingOthers } = web.useDevices({
          keyId: own,
          onSignedOut: () => told.push('out'),
        })
        if (!devices) return 'loading'
        const others = () => void revokingOthers.run().then((count) => told.push(count))
        return [
          react.createElement('button', { key: 'others', onClick: others }, 'Others'),
          ...devices.map(({ keyId: id, isThis, goesWith: { length } }) =>
            react.createElement(
              'button',
              { key: id, id, className: 'device', onClick: () => void revoking.run(id) },
              `${isThis ? 'This' : 'Other'}${length > 0 ? ` and ${length}` : ''}`,
            ),
          ),
        ]
      })
    }, keyId)
    await page.locator('.device').first().waitFor()
    return keyId
  }
  const listed = () => page.locator('.device').allTextContents()

  it('lists this one first, and signs out another, the others, and this one', async () => {
    for (const tab of [otherBrowser(), otherBrowser(), otherBrowser()]) {
      await tab.call('login', { email, password })
    }
    await showDevices()
    const count = (await listed()).length
    expect(await listed()).toEqual(['This', ...Array(count - 1).fill('Other')])
    await page.locator('.device').nth(1).click()
    await eventually(listed).toHaveLength(count - 1)
    await click('Others')
    await eventually(listed).toEqual(['This'])
    expect(await wasTold()).toEqual([count - 2])
    await click('This')
    await eventually(wasTold).toEqual([count - 2, 'out'])
    const keys = await api.keysOf(user.userId)
    expect(keys.filter(({ state }) => state === 'active')).toEqual([])
    expect(await cookieNames()).toEqual(['svc_known'])
  })

  it('says how much goes with a device, and takes all of it off the list', async () => {
    const letIn = async (by: TestKey) => {
      const key = await createTestKey()
      const { body } = await api.call('startDeviceAuth', key.registration)
      await api.call('approveDeviceAuth', { userCode: body.userCode }, by)
      await api.call('pollDeviceAuth', { deviceCode: body.deviceCode })
      return key
    }
    const phone = await api.signIn(user)
    const tv = await letIn(phone)
    const radio = await letIn(tv)
    await showDevices()
    expect(await listed()).toEqual(expect.arrayContaining(['Other and 2', 'Other and 1']))
    await click('Other and 2')
    await eventually(listed).not.toContainEqual(expect.stringContaining('and'))
    for (const key of [phone, tv, radio]) {
      expect(await page.locator(`[id="${key.keyId}"]`).count()).toBe(0)
      expect((await api.call('getAuthSession', undefined, key)).status).toBe(401)
    }
  })

  it('notices that this one was signed out elsewhere', async () => {
    const keyId = await showDevices()
    const elsewhere = otherBrowser()
    await elsewhere.call('login', { email, password })
    await elsewhere.call('revokeKey', { keyId })
    await click('Others')
    await eventually(wasTold).toContain('out')
  })
})

describe('useStream', () => {
  const closed = async () => (await wasTold()).filter((each) => each === 'closed')

  it('says how the connection is, and closes it with the component', async () => {
    await page.evaluate((host) => {
      show(() => {
        const [isThere, setThere] = react.useState(true)
        return [
          react.createElement('button', { key: 'b', onClick: () => setThere(false) }, 'Leave'),
          isThere ? react.createElement(Stream, { key: 's' }) : 'gone',
        ]
      })

      type Open = Parameters<typeof web.useStream>[0]
      const open: Open = (listeners) => {
        const stream = client.createSSEClient({ host, reconnectDelay: 10 })
        stream.subscribe({
          events: ['added'],
          handlers: { added: (payload) => told.push(payload) },
          ...listeners,
          onReconnect: (attempt) => {
            told.push(`attempt ${attempt}`)
            listeners.onReconnect(attempt)
          },
          onClose: () => {
            told.push('closed')
            listeners.onClose()
          },
        })
        return stream
      }
      function Stream() {
        const { state } = web.useStream(open)
        return react.createElement('p', null, state)
      }
    }, streams.url)
    await see('open')
    await added.emit({ n: 1 })
    await eventually(wasTold).toContainEqual({ n: 1 })
    // Strict mode opens a stream, closes it, and opens the one that stays.
    expect(await closed()).toHaveLength(1)

    streams.clock.advance('2h')
    await eventually(wasTold).toContain('attempt 1')
    await see('open')
    await click('Leave')
    await eventually(closed).toHaveLength(2)
  })

  it('says each time that something may have been missed', async () => {
    await page.evaluate(() => {
      show(() => react.createElement(Stream))
      type Listeners = Parameters<Parameters<typeof web.useStream>[0]>[0]
      let listeners: Listeners | undefined
      const open = (given: Listeners) => {
        listeners = given
        return { getState: () => 'open' as const, close() {} }
      }
      function Stream() {
        const { missed } = web.useStream(open)
        react.useEffect(() => {
          if (missed) told.push(missed.reason)
        }, [missed])
        return react.createElement('button', { onClick: next }, 'Next')
      }
      const none: string[] = []
      const steps = [
        () => listeners?.onOpen({ events: none, recovered: false }),
        () => listeners?.onOpen({ events: none, recovered: true }),
        () => listeners?.onOpen({ events: none, recovered: false }),
        () => listeners?.onOpen({ events: none, recovered: false, reason: 'expired' }),
        () => listeners?.onGap({ reason: 'expired' }),
        () => listeners?.onGap({ reason: 'expired' }),
      ]
      function next() {
        steps.shift()?.()
      }
    })
    const reasons = [null, 'expired', 'expired', 'expired']
    for (const count of [0, 0, 1, 2, 3, 4]) {
      await click('Next')
      await eventually(wasTold).toEqual(reasons.slice(0, count))
    }
  })
})

describe('usePresence', () => {
  async function tokenFor(who: string) {
    const asked = { method: 'POST', headers: { 'x-user': who } }
    const answer = await rooms.fetch('/events/token', asked)
    return ((await answer.json()) as { token: string }).token
  }

  it('says who follows the channel of the resource, and of that alone, over one stream', async () => {
    const minted = vi.fn(tokenFor)
    await page.exposeFunction('mint', minted)
    await page.exposeFunction('changeStream', async (change: object) => {
      const answer = await rooms.fetch('/events/subscriptions', {
        method: 'POST',
        headers: { 'x-user': 'ada', 'content-type': 'application/json' },
        body: JSON.stringify(change),
      })
      return answer.json()
    })
    await page.evaluate((host) => {
      show(() => {
        const [room, setRoom] = react.useState('1')
        return [
          react.createElement('button', { key: 'b', onClick: () => setRoom('2') }, 'Next room'),
          react.createElement(Room, { key: 'r', room }),
        ]
      })

      function Room({ room }: { room: string }) {
        const { present, onPresence } = web.usePresence(room)
        const [stream] = react.useState(() =>
          client.createSSEClient({
            host,
            acquireToken: () => mint('ada'),
            sendChange: changeStream,
            reconnectDelay: 10,
          }),
        )
        const open = react.useCallback(
          (listeners: Parameters<Parameters<typeof web.useStream>[0]>[0]) => {
            stream.subscribe({ handlers: {}, ...listeners })
            return stream
          },
          [stream],
        )
        web.useStream(open)
        react.useEffect(() => {
          const presence: object = { roomSaid: { [room]: onPresence } }
          const channels: object = { roomSaid: [room] }
          void stream.follow({ presence })
          return () => void stream.leave({ channels })
        }, [stream, room, onPresence])
        return react.createElement('p', null, present ? `there: ${present.join()}` : 'nobody knows')
      }
    }, rooms.url)
    await see('there: ada')
    const bob = new AbortController()
    const token = await tokenFor('bob')
    const stream = await rooms.fetch(`/events/stream?events=roomSaid:1&token=${token}`, {
      signal: bob.signal,
    })
    await see('there: ada,bob')
    await click('Next room')
    await see('there: ada')
    expect(await roomSaid.of('2').present()).toEqual(['ada'])
    await vi.waitFor(async () => expect(await roomSaid.of('1').present()).toEqual(['bob']), 5000)
    expect(minted).toHaveBeenCalledOnce()
    bob.abort()
    await stream.text().catch(() => {})
  })
})

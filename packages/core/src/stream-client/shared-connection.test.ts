import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import type { SSEClient, StreamSubscription } from './subscription.ts'

// Node has the locks and the channels that browsers have: each client here is a tab.

const added = defineEvent('item.added', t.Object({ n: t.Integer() }))
const removed = defineEvent('item.removed', t.Object({ n: t.Integer() }))
const secret = defineEvent('secret')
const router = defineEventRouter(
  { added, removed, secret },
  { history: { size: 100, ttl: 60_000 } },
)
type Router = typeof router

const server = await startTestServer(
  defineServer().events(router, {
    pingInterval: 100,
    auth: {
      enabled: true,
      tokenManager: {
        issue: async () => ({ token: '' }),
        consume: async (subject) => ({ subject }),
      },
      authorize: (_subject, events) => events.filter((name) => name !== 'secret'),
    },
  }),
)
afterAll(server.stop)

const clients: SSEClient<Router>[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

let asked: string[] = []
afterEach(() => {
  asked = []
  vi.restoreAllMocks()
})

function watchRequests() {
  const real = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(decodeURIComponent(new URL(input as string).search.split('&')[0] as string))
    return real(input, init)
  })
}

function openTab(
  subscription: Partial<StreamSubscription<Router>> = {},
  options: SSEClientOptions = {},
) {
  const client = createSSEClient<Router>({
    host: server.url,
    reconnectDelay: 20,
    acquireToken: async () => 'ada',
    shareAcrossTabs: 'ada',
    ...options,
  })
  clients.push(client)
  const told: [string, unknown?][] = []
  client.subscribe({
    handlers: { added: ({ n }) => told.push(['added', n]) },
    onOpen: ({ events }) => told.push(['open', events]),
    onError: (error) => told.push(['error', error]),
    onRejected: (error) => told.push(['rejected', error.status]),
    onClose: () => told.push(['close']),
    ...subscription,
  })
  return { client, told, ns: () => told.filter(([name]) => name === 'added').map(([, n]) => n) }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })

describe('tabs that share', () => {
  it('have one connection, and all that comes', async () => {
    watchRequests()
    const tabs = [openTab(), openTab(), openTab()]
    for (const { told } of tabs) await until(() => expect(told).toEqual([['open', ['added']]]))
    for (const n of [1, 2, 3]) await added.emit({ n })

    for (const { ns } of tabs) await until(() => expect(ns()).toEqual([1, 2, 3]))
    expect(asked).toEqual(['?events=added'])
  })

  it('are told at once when they come to an open stream', async () => {
    watchRequests()
    const first = openTab()
    await until(() => expect(first.client.getState()).toBe('open'))
    const second = openTab()
    await until(() => expect(second.told).toEqual([['open', ['added']]]))
    expect(second.client.getState()).toBe('open')
    expect(asked).toHaveLength(1)
  })

  it('take over when the leader leaves, and miss nothing of a stream with a history', async () => {
    watchRequests()
    const leader = openTab()
    await until(() => expect(leader.client.getState()).toBe('open'))
    const [second, third] = [openTab(), openTab()]
    await until(() => expect(third.client.getState()).toBe('open'))
    await added.emit({ n: 1 })
    for (const { ns } of [second, third]) await until(() => expect(ns()).toEqual([1]))
    leader.client.close()
    await added.emit({ n: 2 })
    await until(() => expect(asked).toHaveLength(2))
    await added.emit({ n: 3 })

    for (const { ns } of [second, third]) await until(() => expect(ns()).toEqual([1, 2, 3]))
    expect(leader.told.at(-1)).toEqual(['close'])
    expect(asked).toEqual(['?events=added', '?events=added'])
  })

  it('get what each of them asks for, and no more', async () => {
    watchRequests()
    const first = openTab()
    await until(() => expect(first.client.getState()).toBe('open'))
    const gone: number[] = []
    const never = vi.fn<() => void>()
    const second = openTab({
      events: ['removed'],
      handlers: { removed: ({ n }) => gone.push(n), added: never },
    })
    await until(() => expect(second.told).toEqual([['open', ['removed']]]))
    await added.emit({ n: 1 })
    await removed.emit({ n: 2 })

    await until(() => expect(gone).toEqual([2]))
    await until(() => expect(first.ns()).toEqual([1]))
    expect(never).not.toHaveBeenCalled()
    expect(first.told.filter(([name]) => name === 'open')).toEqual([
      ['open', ['added']],
      ['open', ['added']],
    ])
    expect(asked).toEqual(['?events=added', '?events=added,removed'])
  })

  it('are recovered when one comes that asks for more, which is not', async () => {
    const first = openTab()
    const recoveries: string[] = []
    const note = (tab: string) => ({
      onOpen: ({ recovered }: { recovered: boolean }) => recoveries.push(`${tab} ${recovered}`),
    })
    first.client.subscribe({ handlers: { added: () => {} }, ...note('first') })
    await until(() => expect(recoveries).toHaveLength(1))
    openTab({ events: ['removed'], ...note('second') })
    await until(() => expect(recoveries).toHaveLength(3))
    expect(recoveries.toSorted()).toEqual(['first false', 'first true', 'second false'])
  })

  it('are told of a drop, and of the connection after it', async () => {
    const [first, second] = [openTab(), openTab()]
    for (const { told } of [first, second]) await until(() => expect(told).toHaveLength(1))
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('no network'))
    server.clock.advance(2 * 3_600_000)
    for (const { told, client } of [first, second]) {
      await until(() => expect(told.filter(([name]) => name === 'open')).toHaveLength(2))
      expect(told.filter(([name]) => name === 'error')).toMatchObject([
        ['error', { name: 'ApiUnreachableError', message: 'The stream has ended.' }],
        ['error', { name: 'ApiUnreachableError', status: 503 }],
      ])
      expect(client.getState()).toBe('open')
    }
  })
})

describe('what others say on the channel of the tabs', () => {
  const noise = [
    null,
    true,
    'who',
    {},
    [],
    { say: 'shout' },
    { say: 'leave' },
    { say: 'want', tab: 'x' },
    { say: 'want', tab: 'x', events: [1] },
    { say: 'notice' },
    { say: 'notice', notice: null },
    { say: 'notice', notice: { type: 'unheard of' } },
    { say: 'notice', notice: { type: 'message' } },
    { say: 'notice', notice: { type: 'open', opened: {} } },
    { say: 'notice', notice: { type: 'message', message: { event: 'added' }, id: 7 } },
    { say: 'notice', notice: { type: 'reached' } },
    { say: 'notice', notice: { type: 'reached', id: 7 } },
  ]

  it('is passed over', async () => {
    const failed = vi.fn()
    process.on('uncaughtException', failed)
    const name = vi.spyOn(navigator.locks, 'request')
    const tabs = [openTab(), openTab()]
    for (const { client } of tabs) await until(() => expect(client.getState()).toBe('open'))
    const channel = new BroadcastChannel(String(name.mock.calls[0]?.[0]))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin anyway
    for (const each of noise) channel.postMessage(each)
    await added.emit({ n: 1 })
    for (const { told } of tabs) {
      await until(() =>
        expect(told).toEqual([
          ['open', ['added']],
          ['added', 1],
        ]),
      )
    }
    channel.close()
    process.off('uncaughtException', failed)
    expect(failed).not.toHaveBeenCalled()
  })
})

describe('a refusal', () => {
  it('of what one tab asks for does not end the stream of another', async () => {
    const first = openTab()
    await until(() => expect(first.client.getState()).toBe('open'))
    const forbidden = openTab({ events: ['secret'] })
    await until(() => expect(forbidden.told).toEqual([['rejected', 403], ['close']]))
    const wrong = openTab({ events: ['nothing' as 'added'] })
    await until(() => expect(wrong.told).toEqual([['rejected', 400], ['close']]))

    await until(() => expect(first.client.getState()).toBe('open'))
    await added.emit({ n: 1 })
    await until(() => expect(first.ns()).toEqual([1]))
    expect(first.told.map(([name]) => name)).not.toContain('rejected')
  })
})

describe('tabs of different people', () => {
  it('do not share, nor those of different streams', async () => {
    watchRequests()
    const tabs = [
      openTab(),
      openTab({}, { shareAcrossTabs: 'bob', acquireToken: async () => 'bob' }),
      openTab({}, { url: `${server.url}/events/stream?other` }),
      openTab({}, { shareAcrossTabs: false }),
    ]
    for (const { client } of tabs) await until(() => expect(client.getState()).toBe('open'))
    expect(asked).toHaveLength(4)
  })

  it('cannot share by mistake', () => {
    const shareAcrossTabs = true
    const mistakes: SSEClientOptions[] = [
      { acquireToken: async () => 't' },
      { withCredentials: true },
    ]
    for (const mistake of mistakes) {
      expect(() => createSSEClient({ ...mistake, shareAcrossTabs })).toThrow(TypeError)
    }
  })
})

describe('where tabs cannot talk', () => {
  it('each has its own connection', async () => {
    watchRequests()
    vi.stubGlobal('BroadcastChannel', undefined)
    const tabs = [openTab(), openTab()]
    vi.unstubAllGlobals()
    vi.spyOn(navigator.locks, 'request').mockRejectedValue(new DOMException('', 'SecurityError'))
    tabs.push(openTab(), openTab())

    for (const { client } of tabs) await until(() => expect(client.getState()).toBe('open'))
    expect(asked).toHaveLength(4)
    await added.emit({ n: 1 })
    for (const { ns } of tabs) await until(() => expect(ns()).toEqual([1]))
  })
})

it('leaves no lock and no wish behind', async () => {
  const tabs = [openTab(), openTab()]
  for (const { client } of tabs) await until(() => expect(client.getState()).toBe('open'))
  for (const { client } of tabs) client.close()
  await vi.waitFor(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    expect([...held, ...pending]).toEqual([])
  })
})

import { authenticate, authRouter, createAuthLifecycle } from '@svc/auth/server'
import {
  defineChannel,
  defineEventRouter,
  defineRouter,
  defineServer,
  eventRouteMap,
  t,
} from '@svc/core'
import { createAuthSSEClient, ForbiddenError } from '@svc/core/client'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'

const orderChanged = defineChannel('order.changed', t.Object({ status: t.String() }))
const events = defineEventRouter({ orderChanged })
const web = await startTestWeb({
  routeMap: eventRouteMap,
  definition: defineServer()
    .lifecycle(createAuthLifecycle())
    .routes(defineRouter({}).packages([authRouter]).use([authenticate]))
    .events(events, {
      auth: { enabled: true, channels: { orderChanged: (_userId, id) => id.startsWith('own') } },
    }),
})
afterAll(web.api.stop)

const soon = { interval: 5, timeout: 5000 }

/** What pages have sent to the proxy, and the API has said to their streams. */
let sent: { name: string; body: unknown }[] = []
const closing: (() => void)[] = []
beforeEach(() => {
  sent = []
  web.api.clock.set(new Date())
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  vi.unstubAllGlobals()
})

async function signedInPage() {
  const user = await web.api.createUser()
  const page = web.browser()
  web.api.clock.set(new Date())
  await page.call('login', user)
  return page
}

/** A page calls the proxy at its own address, and the API at another. */
function actAs(page: TestBrowser) {
  const real = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
    const [, name] = /^\/api\/rpc\/(\w+)$/.exec(String(url)) ?? []
    if (name === undefined) return real(url, init)
    const { body } = (await new Response(init?.body).json()) as { body?: unknown }
    sent.push({ name, body })
    return page.call(name, body)
  })
}

function openStream() {
  const opened: string[] = []
  const client = createAuthSSEClient<typeof events>({ host: web.api.url })
  closing.push(() => client.close())
  client.subscribe({ handlers: {}, onOpen: ({ events: names }) => opened.push(...names, 'open') })
  return { client, opened }
}

describe('a page', () => {
  it('changes through the proxy what its open stream follows', async () => {
    actAs(await signedInPage())
    const { client, opened } = openStream()
    const heard: string[] = []
    const hear = ({ status }: { status: string }) => heard.push(status)
    await client.follow({ channels: { orderChanged: { 'own:1': hear } } })
    await orderChanged.of('own:1').emit({ status: 'paid' })
    await vi.waitFor(() => expect(heard).toEqual(['paid']), soon)
    await expect(
      client.follow({ channels: { orderChanged: { other: hear } } }),
    ).rejects.toBeInstanceOf(ForbiddenError)
    await client.leave({ channels: { orderChanged: ['own:1'] } })
    expect(opened).toEqual(['open'])
    expect(sent).toEqual([
      { name: 'eventsToken', body: undefined },
      {
        name: 'eventsSubscribe',
        body: {
          stream: expect.stringMatching(/^[\da-f]{8}-[\da-f]{32}$/),
          subscribe: ['orderChanged:own:1'],
        },
      },
      expect.objectContaining({ name: 'eventsSubscribe' }),
      {
        name: 'eventsSubscribe',
        body: { stream: expect.any(String), unsubscribe: ['orderChanged:own:1'] },
      },
    ])
  })

  it('changes no stream of another user, whose name it has', async () => {
    actAs(await signedInPage())
    const { client } = openStream()
    await client.follow({ channels: { orderChanged: { 'own:1': () => {} } } })
    const { body } = sent[1] ?? {}
    const other = await signedInPage()
    const answer = await other.call('eventsSubscribe', body)
    expect([answer.status, await answer.json()]).toMatchObject([404, { resource: 'Stream' }])
  })
})

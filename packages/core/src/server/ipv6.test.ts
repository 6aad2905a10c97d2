import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineWebSocketRouter } from '../events/web-socket-router.ts'
import { clientAddress } from '../request/client-address.ts'
import { defineRouter, route } from '../routes/contract.ts'
import { createSSEClient } from '../stream-client/create-sse-client.ts'
import { createWSClient } from '../stream-client/create-ws-client.ts'
import { withoutIPv6 } from '../testing/ipv6.ts'
import { startTestServer } from '../testing/test-server.ts'

const happened = defineEvent('test.happened')
const events = defineEventRouter({ happened })
const sockets = defineWebSocketRouter({ events: { happened } })
const router = defineRouter({
  from: route.get('/from').handler((c) => clientAddress(c.raw)),
})

async function start(env: Record<string, string>) {
  const definition = defineServer().routes(router).events(events).websockets(sockets)
  const server = await startTestServer(definition, { env })
  onTestFinished(() => server.stop())
  const { port } = new URL(server.url)
  const from = async (host: string) => (await fetch(`http://${host}:${port}/from`)).json()
  return { ...server, port, from }
}

afterEach(() => vi.restoreAllMocks())

describe.skipIf(withoutIPv6)(`a server at an address of IPv6${withoutIPv6}`, () => {
  it('has an address with brackets, and serves there alone', async () => {
    const { url, port, from } = await start({ SVC_HOST: '::1' })
    expect(url).toBe(`http://[::1]:${port}`)
    expect(await from('[::1]')).toBe('::1')
    await expect(from('127.0.0.1')).rejects.toThrow('fetch failed')
  })

  it('serves IPv4 and IPv6 at ::, and knows a client of IPv4 by its own address', async () => {
    const { url, port, from } = await start({ SVC_HOST: '::' })
    expect(url).toBe(`http://[::]:${port}`)
    expect([await from('[::1]'), await from('127.0.0.1')]).toEqual(['::1', '127.0.0.1'])
  })

  it('has streams of both kinds', async () => {
    const { url: host, within } = await start({ SVC_HOST: '::1' })
    const heard: string[] = []
    const sse = createSSEClient<typeof events>({ host })
    const ws = createWSClient<typeof sockets>({ host })
    onTestFinished(() => {
      sse.close()
      ws.close()
    })
    const isOpen = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    sse.subscribe({
      handlers: { happened: () => heard.push('SSE') },
      onOpen: () => isOpen[0].resolve(),
    })
    ws.subscribe({
      handlers: { happened: () => heard.push('WebSocket') },
      onOpen: () => isOpen[1].resolve(),
    })
    await Promise.all(isOpen.map(({ promise }) => promise))
    await within(() => happened.emit())
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['SSE', 'WebSocket']))
  })
})

interface WithBinding {
  binding(name: 'tcp_wrap'): { TCP: { prototype: { bind6(): number } } }
}

describe('SVC_HOST', () => {
  it('may be :: on a machine without IPv6, where it is every address of IPv4', async () => {
    // What such a machine says when a program asks for a socket of IPv6. Node's types leave this function out.
    const { TCP } = (process as unknown as WithBinding).binding('tcp_wrap')
    vi.spyOn(TCP.prototype, 'bind6').mockReturnValue(-97)
    const { from } = await start({ SVC_HOST: '::' })
    expect(await from('127.0.0.1')).toBe('127.0.0.1')
  })

  it('has no brackets', async () => {
    const starting = startTestServer(defineServer(), { env: { SVC_HOST: '[::1]' } })
    await expect(starting).rejects.toMatchObject({
      problems: [
        'SVC_HOST must have no brackets: write an IPv6 address like ::1, or :: for every address',
      ],
    })
  })
})

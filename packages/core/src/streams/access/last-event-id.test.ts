import { describe, expect, it, vi } from 'vitest'
import { defineEventRouter, defineServer, defineWebSocketRouter } from '../../index.ts'
import { openTestWebSocket } from '../test-socket.ts'
import { clockEvents, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }
const history = { history: { size: 100, ttl: 60_000 } }

const { serve } = useTestStreaming()

/** Where a client goes on that has been here before: of five events, those behind its id. */
async function start() {
  const { tick } = clockEvents()
  const server = await serve(
    defineServer()
      .events(defineEventRouter({ tick }, history))
      .websockets(defineWebSocketRouter({ events: { tick }, ...history })),
  )
  for (let n = 1; n <= 5; n++) await tick.emit({ n })
  const first = await server.open('?events=tick')
  await vi.waitFor(() => expect(first.frames).toHaveLength(1), soon)
  const id = (n: number) => String(first.frames[0]?.id).replace(/\d+$/, String(n))
  const all = [1, 2, 3, 4, 5]

  async function streamed(query: string, header?: string) {
    const headers = header === undefined ? {} : { 'last-event-id': header }
    const stream = await server.open(`?events=tick${query}`, headers)
    const after = () => stream.payloads().map((payload) => (payload as { n: number }).n)
    return seen(after, () => stream.frames[0]?.data)
  }

  async function socketed(query: string, header?: string) {
    const headers = header === undefined ? {} : { 'last-event-id': header }
    const socket = await openTestWebSocket(`${server.url}/events/ws?events=tick${query}`, {
      headers,
    })
    const after = () => socket.dataOf('tick').map((payload) => (payload as { n: number }).n)
    return seen(after, () => socket.dataOf('connected')[0])
  }

  async function seen(after: () => number[], connected: () => unknown) {
    await vi.waitFor(() => expect(connected()).toBeDefined(), soon)
    const isResumed = (connected() as { recovered?: boolean }).recovered === true
    if (isResumed) await vi.waitFor(() => expect(after().at(-1)).toBe(5), soon)
    return isResumed ? all.length - after().length : 'new'
  }

  return { id, ways: { streamed, socketed } }
}

describe('the id of the last event that a client has got', () => {
  it.each(['streamed', 'socketed'] as const)(
    'is in the header, or in the query of one that cannot set it: %s',
    async (way) => {
      const { id, ways } = await start()
      const open = ways[way]
      expect(await open('')).toBe('new')
      expect(await open('', id(2))).toBe(2)
      expect(await open(`&lastEventId=${id(3)}`)).toBe(3)
      expect(await open(`&lastEventId=${id(3)}&lastEventId=${id(1)}`)).toBe(3)
      expect(await open('&lastEventId=')).toBe('new')
    },
  )

  it.each(['streamed', 'socketed'] as const)(
    'is that of the header where there are both, which is newer: %s',
    async (way) => {
      const { id, ways } = await start()
      const open = ways[way]
      expect(await open(`&lastEventId=${id(1)}`, id(4))).toBe(4)
      expect(await open(`&lastEventId=${id(1)}`, '')).toBe(1)
    },
  )
})

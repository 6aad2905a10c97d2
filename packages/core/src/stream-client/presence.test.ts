import { describe, expect, it } from 'vitest'
import { sends, startScriptedSockets } from './test-sockets.ts'
import {
  frame,
  listen,
  opens,
  opensAndEnds,
  startScriptedServer,
  testClients,
  until,
} from './test-sse-client.ts'

const script = await startScriptedServer()
const sockets = await startScriptedSockets()
const { clientOf } = testClients(script.host)

const room = 'room:1'
const tells = (told: object, more = '') => frame('presence', { channel: room, ...told }, more)

/** Handlers of presence, and what they were called with. */
function noting(...channels: string[]) {
  const noted: unknown[] = []
  const handlers = channels.map((channel) => [
    channel.slice('room:'.length),
    (now: unknown) => noted.push(channels.length > 1 ? [channel, now] : now),
  ])
  return { noted, presence: { room: Object.fromEntries(handlers) } as object }
}

const asked = ({ url = '' }: { url?: string | undefined }) =>
  new URL(url, script.host).searchParams.get('events')

describe('who follows a channel', () => {
  it('is asked for with it, and told as it begins and whenever it changes', async () => {
    const text =
      tells({ present: ['ada', 'bob'] }) + tells({ joined: ['eve'] }) + tells({ left: ['bob'] })
    script.steps = [opens(text)]
    const { noted, presence } = noting(room)
    listen(clientOf(), { presence })
    await until(() => expect(noted).toHaveLength(3))
    expect(noted).toEqual([
      { present: ['ada', 'bob'], joined: [], left: [] },
      { present: ['ada', 'bob', 'eve'], joined: ['eve'], left: [] },
      { present: ['ada', 'eve'], joined: [], left: ['bob'] },
    ])
    expect(asked(script.requests[0] ?? {})).toBe('added,room:1')
  })

  it('is told over a WebSocket', async () => {
    const told = { channel: room, present: ['ada'] }
    sockets.steps = [
      sends({ type: 'connected', data: { events: [room] } }, { type: 'presence', data: told }),
    ]
    const { noted, presence } = noting(room)
    sockets.subscribe({}, { presence })
    await until(() => expect(noted).toEqual([{ present: ['ada'], joined: [], left: [] }]))
    expect(sockets.asked[0]).toContain('events=room%3A1')
  })

  it('is told of each channel apart, and of no other', async () => {
    const other = frame('presence', { channel: 'room:2', present: ['bob'] })
    const strange = frame('presence', { channel: 'room:3', present: ['eve'] })
    script.steps = [opens(strange + tells({ present: ['ada'] }) + other)]
    const { noted, presence } = noting(room, 'room:2')
    listen(clientOf(), { presence })
    await until(() => expect(noted).toHaveLength(2))
    expect(noted).toMatchObject([
      [room, { present: ['ada'] }],
      ['room:2', { present: ['bob'] }],
    ])
  })

  it('is not told again where it is known: after a drop, what has changed is', async () => {
    script.steps = [
      opensAndEnds(tells({ present: ['ada', 'bob'] }) + tells({ joined: ['ada'], left: ['eve'] })),
      opensAndEnds(tells({ present: ['bob', 'ada'] })),
      opens(tells({ present: ['ada', 'eve'] })),
    ]
    const { noted, presence } = noting(room)
    listen(clientOf(), { presence })
    await until(() => expect(noted).toHaveLength(2))
    expect(noted[1]).toEqual({ present: ['ada', 'eve'], joined: ['eve'], left: ['bob'] })
  })

  it('is not known by what changes before the server has said who is there', async () => {
    script.steps = [opens(tells({ joined: ['eve'] }) + tells({ present: ['ada', 'eve'] }))]
    const { noted, presence } = noting(room)
    listen(clientOf(), { presence })
    await until(() => expect(noted).toHaveLength(1))
    expect(noted).toEqual([{ present: ['ada', 'eve'], joined: [], left: [] }])
  })

  it('is of no concern to handlers of events, unless the router has an event of that name', async () => {
    const seen: unknown[] = []
    const handlers = { presence: (payload: unknown) => seen.push(payload) } as object
    script.steps = [opens(tells({ present: ['ada'] })), opens(tells({ present: ['ada'] }))]
    const { noted, presence } = noting(room)
    listen(clientOf(), { events: [], handlers, presence })
    await until(() => expect(noted).toHaveLength(1))
    expect(seen).toEqual([])
    listen(clientOf(), { handlers })
    await until(() => expect(seen).toEqual([{ channel: room, present: ['ada'] }]))
  })

  it('is nothing where the server sends what no client understands', async () => {
    const odd = [null, 7, {}, { channel: 7 }, { channel: room, present: 'ada' }, { channel: room }]
    const text = odd.map((data) => frame('presence', data)).join('')
    script.steps = [opens(text + tells({ present: ['ada'] }))]
    const { noted, presence } = noting(room)
    listen(clientOf(), { presence })
    await until(() => expect(noted).toHaveLength(1))
    expect(noted).toMatchObject([{ present: ['ada'] }])
  })

  it('goes to every tab that asks for it, also to one that comes later', async () => {
    const later = Promise.withResolvers<(text: string) => void>()
    script.steps = [
      (outgoing, incoming) => {
        opens(tells({ present: ['ada', 'bob'] }, 'id: e-1\n'))(outgoing, incoming)
        later.resolve((text) => outgoing.write(text))
      },
    ]
    const options = { shareAcrossTabs: 'ada', acquireToken: async () => 't' }
    const [first, second] = [noting(room), noting(room)]
    listen(clientOf(options), first)
    await until(() => expect(first.noted).toHaveLength(1))
    listen(clientOf(options), second)
    await until(() => expect(second.noted).toHaveLength(1))
    const { told } = listen(clientOf(options))
    await until(() => expect(told).toHaveLength(1))
    const send = await later.promise
    send(tells({ joined: ['eve'] }, 'id: e-2\n') + frame('added', { n: 1 }, 'id: e-3\n'))
    await until(() => expect(told.at(-1)).toEqual(['added', 1]))
    for (const { noted } of [first, second]) {
      await until(() => expect(noted).toHaveLength(2))
      expect(noted).toEqual([
        { present: ['ada', 'bob'], joined: [], left: [] },
        { present: ['ada', 'bob', 'eve'], joined: ['eve'], left: [] },
      ])
    }
    expect(script.requests).toHaveLength(1)
  })
})

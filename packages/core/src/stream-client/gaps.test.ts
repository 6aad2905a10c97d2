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
  waitMillis,
} from './test-sse-client.ts'
import { tabFollower } from './test-tab.ts'

const script = await startScriptedServer()
const sockets = await startScriptedSockets()
const { clientOf } = testClients(script.host)
const follow = tabFollower(script.host, clientOf)

/** A subscription that writes gaps down too. */
function noting() {
  const gaps: unknown[] = []
  return { gaps, onGap: (gap: unknown) => gaps.push(gap) }
}

describe('a stream that is not recovered', () => {
  it.each(['expired', 'unknown'])('says why: %s', async (reason) => {
    script.steps = [opensAndEnds('', { id: 'e-1' }), opens('', { recovered: false, reason })]
    const { told } = listen(clientOf())
    await until(() => expect(told.filter(([name]) => name === 'open')).toHaveLength(2))
    expect(told.at(-1)).toEqual(['open', { events: ['added'], recovered: false, reason }])
  })

  it('says nothing where the server does not, or what no type has', async () => {
    const steps = [{}, { reason: 'moon' }, { recovered: true }]
    script.steps = steps.map((connected) => opensAndEnds('', connected))
    const { told } = listen(clientOf())
    await until(() => expect(script.requests).toHaveLength(4))
    for (const [, opened] of told.filter(([name]) => name === 'open')) {
      expect(opened).not.toHaveProperty('reason')
    }
  })
})

describe('a gap', () => {
  it('of an event stream that stays open is told, and is no event', async () => {
    const { gaps, onGap } = noting()
    const gap = frame('gap', { reason: 'expired' }, 'id: e-7\n')
    script.steps = [opensAndEnds(frame('added', { n: 1 }, 'id: e-1\n') + gap + gap)]
    const { told } = listen(clientOf(), {
      onGap,
      handlers: { gap: () => told.push(['handled']) } as object,
    })
    await until(() =>
      expect(told.map(([name]) => name)).toEqual(['open', 'error', 'reconnect', 'open']),
    )
    expect(gaps).toEqual([{ reason: 'expired' }])
    expect(script.requests[1]?.headers['last-event-id']).toBe('e-7')
  })

  it('of a WebSocket is told, with any reason', async () => {
    const { gaps, onGap } = noting()
    const handled: unknown[] = []
    sockets.steps = [
      sends(
        { type: 'connected', data: { events: [] } },
        { type: 'gap', data: { reason: 'moon' } },
        { type: 'gap' },
      ),
    ]
    sockets.subscribe({ gap: (payload: unknown) => handled.push(payload) }, { onGap })
    await until(() => expect(gaps).toEqual([{ reason: 'moon' }, { reason: 'unknown' }]))
    expect(handled).toEqual([])
  })

  it('is told to each tab, once, which stays in its state', async () => {
    const { gaps, onGap } = noting()
    const { say, opened, message, told, takeOver } = await follow({ onGap })
    opened('e-3')
    say({ type: 'gap', gap: { reason: 'expired' }, id: 'e-9' })
    message(1, 'e-5')
    opened('e-3', true)
    say({ type: 'gap', gap: { reason: 'expired' }, id: 'e-9' })
    say({ type: 'gap', gap: {} as never, id: 'e-10' })
    message(2, 'e-11')
    await until(() => expect(told.at(-1)).toEqual(['added', 2]))
    expect(gaps).toEqual([{ reason: 'expired' }])
    expect(told.map(([name]) => name)).toEqual(['open', 'open', 'added'])
    takeOver()
    await until(() => expect(script.requests).toHaveLength(1))
    expect(script.requests[0]?.headers['last-event-id']).toBe('e-11')
  })

  it('passes from the tab that leads to the others, as does the reason', async () => {
    const later = Promise.withResolvers<(text: string) => void>()
    const gap = frame('gap', { reason: 'expired' }, 'id: e-9\n')
    script.steps = [
      (outgoing, incoming) => {
        opens('', { id: 'e-1' })(outgoing, incoming)
        later.resolve((text) => outgoing.end(text))
      },
      opens('', { recovered: false, reason: 'unknown', id: 'f-1' }),
    ]
    const options = { shareAcrossTabs: 'bob', acquireToken: async () => 't' }
    const notes = [noting(), noting()]
    const tabs: ReturnType<typeof listen>[] = []
    for (const { onGap } of notes) {
      const tab = listen(clientOf(options), { onGap })
      tabs.push(tab)
      await until(() => expect(tab.told).toHaveLength(1))
      await waitMillis(20)
    }
    const send = await later.promise
    send(gap)
    for (const { gaps } of notes) await until(() => expect(gaps).toEqual([{ reason: 'expired' }]))
    for (const { told } of tabs) {
      await until(() => expect(told.filter(([name]) => name === 'open')).toHaveLength(2))
      expect(told[0]).toEqual(['open', { events: ['added'], recovered: false }])
      expect(told.at(-1)).toMatchObject(['open', { recovered: false, reason: 'unknown' }])
    }
    expect(script.requests).toHaveLength(2)
  })
})

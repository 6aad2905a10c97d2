import { describe, expect, it } from 'vitest'
import { sends, sendsAndEnds, startScriptedSockets } from './test-sockets.ts'
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
const { clientOf } = testClients(script.host)
const added = (n: number, id?: string) => frame('added', { n }, id && `id: ${id}\n`)
const lastIds = () => script.requests.map(({ headers }) => headers['last-event-id'])
const numbersIn = (told: [string, unknown?][]) =>
  told.filter(([name]) => name === 'added').map(([, n]) => n)

describe('an event stream', () => {
  it('hands over nothing that was there before', async () => {
    script.steps = [
      opensAndEnds(added(1, 'e-1') + added(2, 'e-2'), { id: 'e-0' }),
      opens(added(2, 'e-2') + added(3, 'e-3') + added(3, 'e-3'), { recovered: true, id: 'e-1' }),
    ]
    const { told } = listen(clientOf())
    await until(() => expect(numbersIn(told)).toContain(3))
    await waitMillis(20)
    expect(numbersIn(told)).toEqual([1, 2, 3])
    expect(lastIds()).toEqual([undefined, 'e-2'])
  })

  it('hands over again what has no id of its own, or an id of another form', async () => {
    const all = added(1, 'e-1') + added(2) + added(3) + added(4, 'x') + added(5, 'x')
    script.steps = [opensAndEnds(all), opens(all)]
    const { told } = listen(clientOf())
    await until(() => expect(numbersIn(told)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]))
  })

  it('hands over nothing again of a chunk that has broken it', async () => {
    const endless = `data: ${'x'.repeat(9 * 1024 * 1024)}`
    script.steps = [opens(added(1, 'e-1') + endless), opens(added(1, 'e-1') + added(2, 'e-2'))]
    const { told } = listen(clientOf())
    await until(() => expect(numbersIn(told)).toEqual([1, 2]))
    expect(lastIds()).toEqual([undefined, 'e-1'])
  })

  it('is resumed by a client that has got no event yet', async () => {
    script.steps = [
      opensAndEnds('', { id: 'e-5' }),
      opensAndEnds(frame('ping', {}, 'id: e-9\n'), { recovered: true, id: 'e-5' }),
    ]
    listen(clientOf())
    await until(() => expect(script.requests).toHaveLength(3))
    expect(lastIds()).toEqual([undefined, 'e-5', 'e-9'])
  })

  it('begins where the server says that is not recovered, even behind what was seen', async () => {
    script.steps = [
      opensAndEnds(added(1, 'e-100')),
      opensAndEnds(added(2, 'e-61'), { recovered: false, id: 'e-60' }),
    ]
    const { told } = listen(clientOf())
    await until(() => expect(numbersIn(told)).toEqual([1, 2]))
    await until(() => expect(script.requests).toHaveLength(3))
    expect(lastIds()).toEqual([undefined, 'e-100', 'e-61'])
  })
})

describe('a WebSocket', async () => {
  const sockets = await startScriptedSockets()
  const { asked } = sockets
  const connected = (id?: string, more = {}) => ({
    type: 'connected',
    data: { events: ['added'], ...more },
    id,
  })
  const event = (n: number, id?: unknown) => ({ type: 'added', data: { n }, id })
  const lastIdsAsked = () =>
    asked.map((url) => new URL(url, 'http://localhost').searchParams.get('lastEventId'))

  function listenTo() {
    const messages: { data: { n: number }; id?: string }[] = []
    sockets.subscribe({ added: (_payload: unknown, message: never) => messages.push(message) })
    return { messages, numbers: () => messages.map(({ data }) => data.n) }
  }

  it('hands over nothing that was there before, and asks for what comes behind it', async () => {
    sockets.steps = [
      sendsAndEnds(connected('e-0'), event(1, 'e-1'), event(2, 'e-2')),
      sends(connected('e-1', { recovered: true }), event(2, 'e-2'), event(3, 'e-3')),
    ]
    const { messages, numbers } = listenTo()
    await until(() => expect(numbers()).toEqual([1, 2, 3]))
    expect(messages.map(({ id }) => id)).toEqual(['e-1', 'e-2', 'e-3'])
    expect(asked).toEqual(['/events/ws?events=added', '/events/ws?events=added&lastEventId=e-2'])
  })

  it('hands over again what has no id, or none that is a text', async () => {
    const all = [connected(), event(1), event(1), event(2, 7)]
    sockets.steps = [sendsAndEnds(...all), sends(...all)]
    const { messages, numbers } = listenTo()
    await until(() => expect(numbers()).toEqual([1, 1, 2, 1, 1, 2]))
    expect(messages.some((message) => 'id' in message)).toBe(false)
    expect(asked).toEqual(['/events/ws?events=added', '/events/ws?events=added'])
  })

  it('is resumed by a client that has got no event yet', async () => {
    sockets.steps = [
      sendsAndEnds(connected('e-5')),
      sendsAndEnds(connected('e-5'), { type: 'ping', data: {}, id: 'e-9' }),
    ]
    listenTo()
    await until(() => expect(asked).toHaveLength(3))
    expect(lastIdsAsked()).toEqual([null, 'e-5', 'e-9'])
  })

  it('sends ids of any characters, and leaves out one that no server takes', async () => {
    const ids = ['é & 日', 'half \ud83d', 'x'.repeat(1025)]
    sockets.steps = ids.map((id) => sendsAndEnds(connected(id)))
    listenTo()
    await until(() => expect(asked).toHaveLength(4))
    expect(lastIdsAsked()).toEqual([null, 'é & 日', 'half \ufffd', null])
  })
})

describe('a tab', () => {
  const follow = tabFollower(script.host, clientOf)

  const recoveries = (told: [string, unknown?][]) =>
    told
      .filter(([name]) => name === 'open')
      .map(([, opened]) => (opened as { recovered: boolean }).recovered)

  it('drops what it has seen when a leader that has got less far resumes', async () => {
    const { told, opened, message, takeOver } = await follow()
    opened('e-0')
    for (const n of [1, 2, 3]) message(n, `e-${n}`)
    opened('e-1', true)
    for (const n of [2, 3, 4]) message(n, `e-${n}`)
    message(5)
    message(5)
    await until(() => expect(numbersIn(told)).toEqual([1, 2, 3, 4, 5, 5]))
    expect(recoveries(told)).toEqual([false, true])
    takeOver()
    await until(() => expect(lastIds()).toEqual(['e-4']))
  })

  it('is not recovered when a leader that has got further resumes, or at first', async () => {
    const { told, opened, message, takeOver } = await follow()
    opened('e-3', true)
    message(4, 'e-4')
    opened('e-9', true)
    message(10, 'e-10')
    await until(() => expect(numbersIn(told)).toEqual([4, 10]))
    expect(recoveries(told)).toEqual([false, false])
    takeOver()
    await until(() => expect(lastIds()).toEqual(['e-10']))
  })

  it('resumes where the stream has got to without an event', async () => {
    const { told, say, opened, takeOver } = await follow()
    opened('e-3')
    say({ type: 'reached', id: 'e-8' })
    await until(() => expect(told).toHaveLength(1))
    await waitMillis(20)
    takeOver()
    await until(() => expect(lastIds()).toEqual(['e-8']))
  })

  it('passes over a place that is none', async () => {
    const { told, opened, say, message, takeOver } = await follow()
    opened('e-3')
    say({ type: 'reached', id: 7 as never })
    message(1, 7 as never)
    message(2, 'e-4')
    await until(() => expect(numbersIn(told)).toEqual([2]))
    say({ type: 'reached', id: 8 as never })
    await waitMillis(20)
    takeOver()
    await until(() => expect(lastIds()).toEqual(['e-4']))
  })

  it('resumes from the messages of a leader of another version', async () => {
    const { told, opened, say, takeOver } = await follow()
    opened('e-3')
    say({ type: 'message', message: { event: 'added', data: { n: 4 }, id: 'e-4' } })
    await until(() => expect(numbersIn(told)).toEqual([4]))
    takeOver()
    await until(() => expect(lastIds()).toEqual(['e-4']))
  })

  it('tells a newcomer where the stream is', async () => {
    script.steps = [opens(added(1, 'e-1') + frame('ping', {}, 'id: e-6\n'), { id: 'e-0' })]
    const options = { shareAcrossTabs: 'bob', acquireToken: async () => 't' }
    const leader = clientOf(options)
    const first = listen(leader)
    await until(() => expect(numbersIn(first.told)).toEqual([1]))
    const second = listen(clientOf(options))
    await until(() => expect(recoveries(second.told)).toEqual([false]))
    await waitMillis(20)
    leader.close()
    await until(() => expect(lastIds()).toEqual([undefined, 'e-6']))
  })
})

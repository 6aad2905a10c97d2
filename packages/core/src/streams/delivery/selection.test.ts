import { describe, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  t,
} from '../../index.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { asUser } from '../test-socket.ts'
import { openTestStream } from '../test-stream.ts'
import { tick, tock, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }

const { serve, start } = useTestStreaming()

describe('a filter', () => {
  it('keeps an emission from the subjects for which it answers false, and from no other (E-058)', async () => {
    const filter = {
      tick: (subject: string, { n }: { n: number }) => n % 2 === 0 || subject === 'u1',
    }
    const { open, token } = await start({ filter })
    const [first, second] = [await open(await token('u1')), await open(await token('u2'))]
    for (let n = 1; n <= 4; n++) await tick.emit({ n })
    await vi.waitFor(() => expect(first?.payloads()).toHaveLength(4), soon)
    await vi.waitFor(() => expect(second?.payloads()).toEqual([{ n: 2 }, { n: 4 }]), soon)
  })

  it('of one event is none of another (E-059)', async () => {
    const { open, token } = await start({ filter: { tick: () => false } })
    const stream = await open(await token())
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 2 }]), soon)
  })

  it('that throws, or answers later, lets nothing through', async () => {
    const filter = {
      tick: () => {
        throw new Error('a bug')
      },
      tock: (async () => true) as unknown as () => boolean,
    }
    const done = defineEvent('done')
    const definition = defineServer()
      .use([asUser])
      .events(defineEventRouter({ tick, tock, done }), { auth: { enabled: true, filter } })
    const server = await serve(definition)
    const issued = await server.fetch('/events/token', {
      method: 'POST',
      headers: { 'x-user': 'u1' },
    })
    const { token } = await issued.json()
    const stream = await openTestStream(
      `${server.url}/events/stream?events=tick,tock,done&token=${token}`,
    )
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await done.emit()
    await vi.waitFor(() => expect(stream.payloads('done')).toEqual([null]), soon)
    expect(stream.payloads()).toEqual([null])
    expect(server.logged).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'a filter of a stream failed' }),
    )
  })
})

describe('recipients', () => {
  it('are asked once an emission, and no other stream gets it', async () => {
    const recipients = vi.fn(({ n }: { n: number }) => (n === 1 ? 'u1' : ['u1', 'u2', 'u9']))
    const { open, token } = await start({ recipients: { tick: recipients } })
    const streams = await Promise.all(
      ['u1', 'u1', 'u2', 'u3'].map(async (user) => open(await token(user))),
    )
    await tick.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await tock.emit({ n: 3 })
    const got = [[1, 2, 3], [1, 2, 3], [2, 3], [3]]
    await vi.waitFor(
      () =>
        expect(streams.map((each) => each.payloads())).toEqual(
          got.map((ns) => ns.map((n) => ({ n }))),
        ),
      soon,
    )
    expect(recipients).toHaveBeenCalledTimes(2)
  })

  const own = defineEvent('own', t.Object({ to: t.String() }), { recipients: ({ to }) => to })

  async function streamOwn(options: object) {
    const router = defineEventRouter({ own })
    const definition = defineServer().use([asUser]).events(router, options)
    const server = await serve(definition)
    const open = async (user: string) => {
      const headers = { 'x-user': user }
      const { token } = await (
        await server.fetch('/events/token', { method: 'POST', headers })
      ).json()
      return openTestStream(`${server.url}/events/stream?events=own&token=${token}`)
    }
    return Promise.all([open('u1'), open('u2')])
  }

  it.each([
    ['says nothing', {}],
    ['says undefined', { recipients: { own: undefined } }],
  ])('that an event declares are asked where the application %s', async (_, options) => {
    const [first, second] = await streamOwn({ auth: { enabled: true, ...options } })
    await own.emit({ to: 'u1' })
    await own.emit({ to: 'u2' })
    await vi.waitFor(() => expect(second?.payloads('own')).toEqual([{ to: 'u2' }]), soon)
    expect(first?.payloads('own')).toEqual([{ to: 'u1' }])
  })

  it('that an application names stand in the place of those that the event declares', async () => {
    const recipients = { own: () => 'u2' }
    const [first, second] = await streamOwn({ auth: { enabled: true, recipients } })
    await own.emit({ to: 'u1' })
    await vi.waitFor(() => expect(second?.payloads('own')).toEqual([{ to: 'u1' }]), soon)
    expect(first?.payloads('own')).toEqual([])
  })

  it('that an event declares keep streams without auth from starting', async () => {
    const streams = defineServer().events(defineEventRouter({ own }))
    await expect(startTestServer(streams)).rejects.toThrow(
      '"own" has recipients, but these streams do not know their users: set auth: { enabled: true } in .events(…).',
    )
    const sockets = defineServer().websockets(defineWebSocketRouter({ events: { own } }))
    await expect(startTestServer(sockets)).rejects.toThrow('.websockets(…)')
  })

  it('that cannot be told are none', async () => {
    const recipients = {
      tick: ({ n }: { n: number }) => {
        if (n === 1) throw new Error('a bug')
        return (n === 2 ? Promise.resolve('u1') : undefined) as unknown as string
      },
    }
    const { open, token, logged } = await start({ recipients })
    const stream = await open(await token())
    for (const n of [1, 2, 3]) await tick.emit({ n })
    await tock.emit({ n: 4 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 4 }]), soon)
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'tick' }))
  })
})

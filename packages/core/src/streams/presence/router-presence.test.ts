import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PresenceChange } from '../../events/contract.ts'
import { defineChannel, defineEvent, defineEventRouter, t } from '../../index.ts'
import { createLogger } from '../../observation/logger.ts'
import { MemoryPresence } from '../../presence/memory-presence.ts'
import { Presence } from '../../presence/presence.ts'
import { createVirtualClock } from '../../testing/virtual-clock.ts'
import type { StreamForm } from '../delivery/frame.ts'
import { type EndReason, Stream } from '../delivery/stream.ts'
import { RouterPresence } from './router-presence.ts'

const soon = { interval: 5, timeout: 10_000 }

const form: StreamForm = {
  name: 'text',
  encode: () => Buffer.alloc(0),
  encodeAside: (_, json) => Buffer.from(json),
}

class TestStream extends Stream {
  readonly shown: { channel: string; present: string[] }[] = []
  readonly waitingBytes = 0
  endedBy: EndReason | undefined

  constructor(presence: RouterPresence, subject: string) {
    super({
      forget: (stream, reason) => {
        this.endedBy = reason
        presence.forget(stream, reason)
      },
      reauthorize() {},
    })
    this.grant = { subject }
  }

  write(bytes: Buffer) {
    this.shown.push(JSON.parse(bytes.toString()))
  }

  ping() {}
  protected disconnect() {}
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start({ isOrdered }: { isOrdered: boolean }) {
  const room = defineChannel('room.said', t.Null(), { presence: true })
  const router = defineEventRouter({ news: defineEvent('news'), room, plain: plainChannel() })
  const log = createLogger({ level: 'silent' })
  const store = new MemoryPresence(createVirtualClock())
  const presence = new Presence({ store, channels: [room], log })
  await presence.open()
  const told: PresenceChange[] = []
  const streams: RouterPresence = new RouterPresence({
    router,
    presence,
    isOrdered,
    log,
    tell(channel, change) {
      const { of: id, ...payload } = change
      if (streams.take({ name: `${channel}:${id}`, payload })) told.push(change)
    },
  })
  closing.push(
    () => streams.close(),
    () => presence.close(),
  )
  const follow = (subject: string, ...names: string[]) => {
    const stream = new TestStream(streams, subject)
    streams.show(stream, names, form)
    return stream
  }
  /** What another instance writes. */
  const write = (what: 'arrived' | 'left', subject: string) => {
    const follower = { channel: 'room.said', resource: '1', subject, connection: subject }
    const changes = { arrived: [], left: [], dropped: [], [what]: [follower] }
    return store.write(changes, async () => {})
  }
  return { streams, store, presence, told, follow, write }
}

const plainChannel = () => defineChannel('plain', t.Null())
const shownLast = ({ shown }: TestStream) => shown.at(-1)?.present.toSorted()
const untilShown = (stream: TestStream, subjects: string[]) =>
  vi.waitFor(() => expect(shownLast(stream)).toEqual(subjects), soon)

describe('what others tell in any order', () => {
  it('is told as it is now', async () => {
    const { streams, told, follow, write } = await start({ isOrdered: false })
    const ada = follow('ada', 'room:1')
    await untilShown(ada, ['ada'])
    await write('arrived', 'bob')
    // That it had left before comes after that.
    streams.hear('room', { of: '1', joined: ['bob'] })
    streams.hear('room', { of: '1', left: ['bob'] })
    await vi.waitFor(() => expect(told).toContainEqual({ of: '1', joined: ['bob'] }), soon)
    streams.hear('room', { of: '1', left: ['bob'] })
    streams.hear('room', { of: '1', joined: ['eve'] })
    await wait(100)
    await write('left', 'bob')
    streams.hear('room', { of: '1', joined: ['bob'] })
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ of: '1', left: ['bob'] }), soon)
    expect(told.filter((change) => JSON.stringify(change).includes('bob'))).toHaveLength(2)
    expect(JSON.stringify(told)).not.toContain('eve')
  })

  it('is found out where it was lost on its way', async () => {
    const { streams, told, follow, write } = await start({ isOrdered: false })
    const ada = follow('ada', 'room:1')
    await write('arrived', 'eve')
    await untilShown(ada, ['ada', 'eve'])
    await write('arrived', 'bob')
    await write('left', 'eve')
    streams.lost()
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ of: '1', left: ['eve'] }), soon)
    // Who is new since the room was first read: on a busy machine, that may be the first follower too.
    const joined = told.flatMap((change) => ('joined' in change ? (change.joined ?? []) : []))
    expect(joined.filter((subject) => subject !== 'ada')).toEqual(['bob'])
    expect(ada.endedBy).toBeUndefined()
  })

  it('concerns no room without a stream here', async () => {
    const { streams, told, store } = await start({ isOrdered: false })
    const asked = vi.spyOn(store, 'following')
    streams.hear('room', { of: '2', joined: ['bob'] })
    await wait(100)
    expect([told, asked.mock.calls]).toEqual([[], []])
  })
})

describe('what comes in order', () => {
  it('counts beside what is read meanwhile', async () => {
    const { streams, store, follow, write, told } = await start({ isOrdered: true })
    await write('arrived', 'eve')
    const read = Promise.withResolvers<void>()
    const followersOf = store.followersOf.bind(store)
    vi.spyOn(store, 'followersOf').mockImplementationOnce(async (resources) => {
      const rows = await followersOf(resources)
      await read.promise
      return rows
    })
    const ada = follow('ada', 'room:1')
    await wait(100)
    streams.hear('room', { of: '1', joined: ['bob'] })
    streams.hear('room', { of: '1', left: ['eve'] })
    // It is not known yet who is there.
    expect([ada.shown, told]).toEqual([[], []])
    read.resolve()
    await untilShown(ada, ['ada', 'bob'])
    streams.hear('room', { of: '1', left: ['bob'] })
    expect(told).toEqual([{ of: '1', left: ['bob'] }])
    expect(shownLast(follow('eve', 'room:1'))).toEqual(['ada', 'eve'])
  })

  it('and is lost sends streams away that follow, so that they come again', async () => {
    const { streams, follow } = await start({ isOrdered: true })
    const [ada, bob] = [follow('ada', 'room:1'), follow('bob', 'news', 'plain:1')]
    streams.lost()
    expect([ada.endedBy, bob.endedBy]).toEqual(['aged', undefined])
  })

  it('is read when the database answers again', async () => {
    const { store, follow } = await start({ isOrdered: true })
    vi.spyOn(store, 'followersOf').mockRejectedValueOnce(new Error('the database is down'))
    await untilShown(follow('ada', 'room:1'), ['ada'])
  })
})

describe('a stream', () => {
  it('that follows no channel with presence is not known', async () => {
    const { presence, follow } = await start({ isOrdered: true })
    const followed = vi.spyOn(presence, 'follow')
    const bob = follow('bob', 'news', 'plain:1')
    bob.end('left')
    await wait(50)
    expect([bob.shown, followed.mock.calls]).toEqual([[], []])
  })

  it('is shown once who is there in each channel, also when it follows others later', async () => {
    const { streams, follow } = await start({ isOrdered: true })
    const ada = follow('ada', 'room:1')
    await untilShown(ada, ['ada'])
    streams.show(ada, ['room:1', 'news', 'room:2'], form)
    await vi.waitFor(() => expect(ada.shown).toHaveLength(2), soon)
    expect(ada.shown.map(({ channel }) => channel)).toEqual(['room:1', 'room:2'])
  })

  it('that has ended before it is known who is there is shown nothing', async () => {
    const { follow, presence } = await start({ isOrdered: true })
    const ada = follow('ada', 'room:1')
    ada.end('left')
    const bob = follow('bob', 'room:1')
    await untilShown(bob, ['bob'])
    await wait(600)
    expect([ada.shown, await presence.present('room.said', '1')]).toEqual([[], ['bob']])
  })

  it('whose subject is no text that can be kept is there for itself alone', async () => {
    const { follow, presence } = await start({ isOrdered: true })
    const [odd, long] = [follow('a\0b', 'room:1'), follow('x'.repeat(501), 'room:1')]
    await vi.waitFor(() => expect([odd.shown, long.shown]).toMatchObject([[{}], [{}]]), soon)
    expect(odd.shown[0]?.present).toEqual(['a\0b'])
    await wait(50)
    expect(await presence.present('room.said', '1')).toEqual([])
  })

  it('shares the bytes of what it is shown with the others', async () => {
    const { follow, presence } = await start({ isOrdered: true })
    const [ada, bob] = [follow('ada', 'room:1'), follow('bob', 'room:1')]
    await vi.waitFor(
      async () => expect(await presence.present('room.said', '1')).toHaveLength(2),
      soon,
    )
    await untilShown(bob, ['ada', 'bob'])
    const stringify = vi.spyOn(JSON, 'stringify')
    for (let n = 0; n < 100; n++) follow(n % 2 ? 'ada' : 'bob', 'room:1')
    const encoded = stringify.mock.calls.length
    stringify.mockRestore()
    expect(encoded).toBeLessThanOrEqual(1)
    expect(ada.isOpen).toBe(true)
  })
})

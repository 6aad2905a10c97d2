import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineChannel, t } from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { MemoryPresence } from './memory-presence.ts'
import { Presence } from './presence.ts'
import type { Follower, FollowerChanges, Tell } from './presence-store.ts'

const soon = { interval: 5, timeout: 10_000 }

/** A store that counts what it writes, and that a test makes fail. */
class CountingStore extends MemoryPresence {
  readonly writes: number[] = []
  isDown = false
  hasHeld = true
  closed = 0

  override async write(changes: FollowerChanges, tell: Tell) {
    if (this.isDown) throw new Error('the database is down')
    this.writes.push(Object.values(changes).flat().length)
    await super.write(changes, tell)
  }

  override async sweep(tell: Tell) {
    if (this.isDown) throw new Error('the database is down')
    return super.sweep(tell)
  }

  override async renew() {
    if (this.isDown) throw new Error('the database is down')
    return this.hasHeld
  }

  override async close() {
    this.closed += 1
  }
}

const open: Presence[] = []
afterEach(async () => {
  for (const presence of open.splice(0)) await presence.close()
})

async function start() {
  const room = defineChannel(`room.${randomUUID()}`, t.Null(), { presence: true })
  const clock = createVirtualClock()
  const store = new CountingStore(clock)
  const lines: string[] = []
  const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line).msg) } })
  const presence = new Presence({ store, channels: [room], log })
  open.push(presence)
  const told: string[] = []
  room['~presence'].subscribe((change) => {
    const { of, ...passage } = change
    for (const [what, subjects] of Object.entries(passage))
      told.push(`${of} ${what}: ${subjects.join()}`)
  })
  await presence.open()
  const follower = (subject: string, resource = '1'): Follower => ({
    channel: room.name,
    resource,
    subject,
    connection: randomUUID(),
  })
  const present = (resource = '1') => presence.present(room.name, resource)
  return { presence, store, clock, told, lines, follower, present }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `u${at}`)

describe('who follows', () => {
  it('is written together where it comes together, and told once for each resource', async () => {
    const { presence, store, told, follower, present } = await start()
    const followers = many(10_000).map((subject) => follower(subject, '1'))
    for (const each of followers) presence.follow(each)
    await vi.waitFor(async () => expect(await present()).toHaveLength(10_000), soon)
    expect(store.writes.length).toBeLessThanOrEqual(41)
    expect(told).toHaveLength(store.writes.length)
    const before = store.writes.length
    // All part in one moment, also where the machine is busy.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (const each of followers) presence.part(each, 'left')
    await vi.advanceTimersByTimeAsync(1000)
    vi.useRealTimers()
    await vi.waitFor(async () => expect(await present()).toHaveLength(0), soon)
    expect(store.writes.length - before).toBeLessThanOrEqual(41)
    expect(Math.max(...store.writes)).toBeLessThanOrEqual(256)
  })

  it('costs a shutdown of ten thousand streams one statement', async () => {
    const { presence, store, follower, present } = await start()
    const followers = many(10_000).map((subject) => follower(subject))
    for (const each of followers) presence.follow(each)
    await vi.waitFor(async () => expect(await present()).toHaveLength(10_000), soon)
    store.writes.length = 0
    for (const each of followers) presence.part(each, 'kept')
    await presence.close()
    await presence.close()
    expect([store.writes, store.closed]).toEqual([[], 1])
    expect(await present()).toHaveLength(10_000)
  })

  it('is told as gone by a shutdown that comes right after its client has left', async () => {
    const { presence, told, follower } = await start()
    const one = follower('u1')
    presence.follow(one)
    await vi.waitFor(() => expect(told).toEqual(['1 joined: u1']), soon)
    presence.part(one, 'left')
    await presence.close()
    expect(told).toEqual(['1 joined: u1', '1 left: u1'])
  })

  it('is not seen to leave where it opens another stream at once', async () => {
    const { presence, told, follower } = await start()
    const [one, other] = [follower('u1'), follower('u1')]
    presence.follow(one)
    await vi.waitFor(() => expect(told).toHaveLength(1), soon)
    presence.part(one, 'left')
    await new Promise((resolve) => setTimeout(resolve, 200))
    presence.follow(other)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(told).toEqual(['1 joined: u1'])
  })

  it('ends as its stream says last, however often it changes its mind', async () => {
    const { presence, follower, present, told } = await start()
    const [stays, goes] = [follower('stays'), follower('goes')]
    for (const each of [stays, goes]) {
      for (let n = 0; n < 3; n++) {
        presence.follow(each)
        presence.part(each, 'left')
      }
      presence.follow(each)
    }
    await vi.waitFor(async () => expect(await present()).toEqual(['goes', 'stays']), soon)
    for (const each of [stays, goes]) {
      presence.part(each, 'left')
      presence.follow(each)
    }
    presence.part(goes, 'left')
    await vi.waitFor(async () => expect(await present()).toEqual(['stays']), soon)
    presence.follow(goes)
    await vi.waitFor(async () => expect(await present()).toHaveLength(2), soon)
    // It is being removed from the store, and comes back.
    presence.part(goes, 'left')
    await new Promise((resolve) => setTimeout(resolve, 505))
    presence.follow(goes)
    presence.part(goes, 'left')
    await vi.waitFor(async () => expect(await present()).toEqual(['stays']), soon)
    expect(told.filter((each) => each.includes('stays'))).toEqual(['1 joined: stays,goes'])
  })
})

describe('a database that does not answer', () => {
  it('is written to when it does again, and the log says so once', async () => {
    const { presence, store, told, lines, follower, present } = await start()
    const [one, other, late] = [follower('u1'), follower('u2'), follower('u3')]
    presence.follow(one)
    presence.follow(late)
    await vi.waitFor(() => expect(told).toHaveLength(1), soon)
    store.isDown = true
    presence.follow(other)
    presence.part(one, 'left')
    presence.part(late, 'dropped')
    await new Promise((resolve) => setTimeout(resolve, 2200))
    store.isDown = false
    await vi.waitFor(async () => expect(await present()).toEqual(['u2', 'u3']), soon)
    expect(lines).toEqual([
      'presence of channels cannot be written, and is tried again',
      'presence of channels is written again',
    ])
  })

  it('loses no user who has left before it was heard whether they had come', async () => {
    const { presence, store, follower, present } = await start()
    const one = follower('u1')
    // Its answer is lost, and not what it was about.
    const write = store.write.bind(store)
    const lost = vi.spyOn(store, 'write').mockImplementationOnce(async (...given) => {
      await write(...given)
      throw new Error('the connection is lost')
    })
    presence.follow(one)
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), soon)
    expect(await present()).toEqual(['u1'])
    presence.part(one, 'left')
    await vi.waitFor(async () => expect(await present()).toEqual([]), soon)
  })

  it('keeps an instance from sweeping until the others can have renewed their leases', async () => {
    const { presence, store, clock, told, follower } = await start()
    const one = follower('u1')
    presence.follow(one)
    await vi.waitFor(() => expect(told).toHaveLength(1), soon)
    presence.part(one, 'dropped')
    await new Promise((resolve) => setTimeout(resolve, 100))
    store.isDown = true
    presence.follow(follower('u2'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    store.isDown = false
    clock.advance('1h')
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(told).not.toContain('1 left: u1')
  })

  it('that has taken an instance for dead is told again what it has', async () => {
    const { presence, store, told, follower, present } = await start()
    const followers = [follower('u1'), follower('u2')]
    for (const each of followers) presence.follow(each)
    await vi.waitFor(() => expect(told).toHaveLength(1), soon)
    const swept = { arrived: [], left: followers, dropped: [] }
    await store.write(swept, async () => {})
    expect(await present()).toEqual([])
    store.hasHeld = false
    store.isDown = true
    presence.follow(follower('u3'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    store.isDown = false
    await vi.waitFor(async () => expect(await present()).toEqual(['u1', 'u2', 'u3']), soon)
  })
})

import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { testCredentials } from '../test-credentials.ts'
import { tokenOf } from '../test-socket.ts'
import { openTestSocket } from '../test-stream.ts'
import { idOf, passagesOf, seenBy, soon, toldOf, useTestRooms, waitToSee } from './test-rooms.ts'

const rooms = useTestRooms()
const { start, graceEnds } = rooms

describe.each(orFew(['cache', 'log', 'memory'] as const))('presence, by %s', (way) => {
  it('shows a stream who is there as it begins to follow, and then who comes and goes', async () => {
    const { one } = rooms
    const { open } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', `news,${one}`)
    await waitToSee(bob, one, ['ada', 'bob'])
    await waitToSee(ada, one, ['ada', 'bob'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined'])
    await bob.leave()
    const closedAt = performance.now()
    await waitToSee(ada, one, ['ada'])
    expect(performance.now() - closedAt).toBeLessThan(2000)
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
    expect(toldOf(ada)[0]).toEqual({ channel: one, present: ['ada'] })
  })

  it('is of those that follow the channel of the resource, and of no other stream', async () => {
    const { one, two } = rooms
    const { open } = await start(way)
    const [ada, bob, eve] = [
      await open('ada', one),
      await open('bob', two),
      await open('eve', 'news'),
    ]
    await waitToSee(ada, one, ['ada'])
    await waitToSee(bob, two, ['bob'])
    await wait(100)
    expect(toldOf(eve)).toEqual([])
    expect(seenBy(ada, two)).toBeUndefined()
    expect(seenBy(bob, one)).toBeUndefined()
  })

  it('counts a subject once, by however many streams of either kind', async () => {
    const { one } = rooms
    const { open, openSocket } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const [stream, socket] = [await open('bob', one), await openSocket('bob', one)]
    await waitToSee(ada, one, ['ada', 'bob'])
    await waitToSee(socket, one, ['ada', 'bob'])
    await stream.leave()
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    socket.ws.close()
    await waitToSee(ada, one, ['ada'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('follows a WebSocket that changes what it follows', async () => {
    const { one, two } = rooms
    const { open, openSocket } = await start(way)
    const ada = await open('ada', `${one},${two}`)
    const bob = await openSocket('bob', two)
    await waitToSee(ada, two, ['ada', 'bob'])
    bob.send('subscribe', { events: [one] })
    await waitToSee(bob, one, ['ada', 'bob'])
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.send('unsubscribe', { events: [two] })
    await waitToSee(ada, two, ['ada'])
    // One that changes its mind at once is not seen to.
    bob.send('unsubscribe', { events: [one] })
    bob.send('subscribe', { events: ['news', one] })
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    expect(toldOf(ada).filter(({ left }) => left)).toHaveLength(1)
    bob.ws.close()
    await waitToSee(ada, one, ['ada'])
  })

  it('ends with what takes the channel away', async () => {
    const { one } = rooms
    let isIn = true
    const mayFollow = (subject: string) => subject === 'ada' || isIn
    const { open, infrastructure } = await start(way, { mayFollow })
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', `${one},news`)
    await waitToSee(bob, one, ['ada', 'bob'])
    isIn = false
    infrastructure.streams.reauthorize('bob')
    await vi.waitFor(() => expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left']), soon)
    const told = toldOf(bob).length
    const eve = await open('eve', one)
    expect(eve.status).toBe(403)
    await ada.leave()
    await wait(700)
    expect(toldOf(bob)).toHaveLength(told)
  })

  it('ends at once with a sign-out', async () => {
    const { one } = rooms
    const { lifecycle } = testCredentials()
    const { open, infrastructure } = await start(way, { lifecycle })
    const ada = await open('ada', one)
    const bob = await open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    infrastructure.streams.end('bob')
    await bob.ended
    await waitToSee(ada, one, ['ada'])
  })

  it('outlasts a connection that breaks off by its grace', async () => {
    const { one } = rooms
    const { open, openSocket } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await openSocket('bob', one)
    const eve = await openSocket('eve', one)
    await waitToSee(ada, one, ['ada', 'bob', 'eve'])
    bob.leave()
    eve.leave()
    await wait(800)
    const again = await open('eve', one)
    await waitToSee(again, one, ['ada', 'bob', 'eve'])
    await graceEnds()
    await waitToSee(ada, one, ['ada', 'eve'])
    await wait(100)
    expect(passagesOf(ada, 'eve')).toEqual(['joined'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('outlasts a stream whose connection is reset', async () => {
    const { one } = rooms
    const server = await start(way)
    const ada = await server.open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await openTestSocket(server.url)
    bob.get(`/events/stream?events=${one}&token=${await tokenOf(server, 'bob')}`)
    await waitToSee(ada, one, ['ada', 'bob'])
    bob.socket.resetAndDestroy()
    await wait(800)
    expect(seenBy(ada, one)).toEqual(['ada', 'bob'])
    await graceEnds()
    await waitToSee(ada, one, ['ada'])
  })

  it('outlasts a stream that the server ends for its age', async () => {
    const { one } = rooms
    const { open, clock } = await start(way, { maxAge: 60_000, pingInterval: 50 })
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    clock.advance('61s')
    await ada.ended
    const again = await open('ada', one)
    await waitToSee(again, one, ['ada'])
    await wait(700)
    expect(passagesOf(again, 'ada')).toEqual([])
  })

  it('is known to routes', async () => {
    const { one, two } = rooms
    const { open, ask } = await start(way)
    expect(await ask(idOf(one))).toEqual([])
    const [ada] = [await open('ada', one), await open('bob', one)]
    await waitToSee(ada, one, ['ada', 'bob'])
    expect(await ask(idOf(one))).toEqual(['ada', 'bob'])
    expect(await ask(idOf(two))).toEqual([])
  })

  it('says what is said in the room under the name of the channel, as ever', async () => {
    const { one } = rooms
    const { open, roomSaid } = await start(way)
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    await roomSaid.of(idOf(one)).emit({ text: 'hi' })
    await vi.waitFor(() => expect(ada.payloads(one)).toEqual([{ text: 'hi' }]), soon)
  })
})

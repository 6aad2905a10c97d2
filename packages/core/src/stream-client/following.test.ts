import { describe, expect, it, vi } from 'vitest'
import { ForbiddenError, ValidationError } from '../errors/contract.ts'
import { tokenOf } from '../streams/test-socket.ts'
import { openTestStream } from '../streams/test-stream.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startDrops } from './test-drops.ts'
import { followedOn, listenTo, until, useFollowing } from './test-following.ts'

const { start, serve, connect, closing } = useFollowing()
const soon = { interval: 5, timeout: 5000 }

describe.each(['SSE', 'WebSocket'] as const)('a client over %s', (way) => {
  it('follows a channel that it joins, on the connection that is open', async () => {
    const { client, changed, news, subscribe, orders, heard, drops } = await start(way)
    await subscribe('u1-a')
    await client.follow(orders('u1-b', 'u1-c'))
    await changed.of('u1-b').emit({ n: 1 })
    await changed.of('u1-a').emit({ n: 2 })
    await news.emit({ n: 3 })
    await vi.waitFor(
      () =>
        expect(heard).toEqual([
          ['u1-b', 1],
          ['u1-a', 2],
          ['news', 3],
        ]),
      soon,
    )
    expect(drops.streams()).toEqual(['news,changed:u1-a'])
  })

  it('gets nothing more of a channel that it leaves, and the server sends nothing', async () => {
    const server = await start(way)
    const { client, changed, news, subscribe, heard } = server
    await subscribe('u1-a', 'u1-b')
    const leaving = client.leave({ events: ['news'], channels: { changed: ['u1-a'] } })
    for (const channel of [changed.of('u1-a'), news]) await channel.emit({ n: 1 })
    await leaving
    expect(await followedOn(server)).toEqual([['changed:u1-b']])
    await changed.of('u1-a').emit({ n: 2 })
    await changed.of('u1-b').emit({ n: 3 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 3]]), soon)
  })

  it('hears of a channel that it may not follow, and follows the others', async () => {
    const server = await start(way)
    const { client, changed, subscribe, orders, heard, drops, opens } = server
    await subscribe('u1-a')
    await expect(client.follow(orders('u2-a'))).rejects.toBeInstanceOf(ForbiddenError)
    await expect(client.follow(orders('u2-b', 'u1-b'))).rejects.toThrow(
      'You may not follow changed:u2-b.',
    )
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
    drops.cut()
    await opens(2)
    expect(drops.streams().at(-1)).toBe('news,changed:u1-a,changed:u1-b')
    expect(await followedOn(server)).toEqual([['news', 'changed:u1-a', 'changed:u1-b']])
  })

  it('hears of a name that no stream has, whose error is of no other change', async () => {
    const { client, changed, subscribe, orders, heard } = await start(way)
    await subscribe('u1-a')
    const first = client.follow(orders('u1-b'))
    const wrong = client.follow(orders('u1,'))
    const right = client.follow(orders('u1-c'))
    await expect(wrong).rejects.toBeInstanceOf(ValidationError)
    await Promise.all([first, right])
    for (const id of ['u1-b', 'u1-c']) await changed.of(id).emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toHaveLength(2), soon)
  })

  it('hears of one channel too many', async () => {
    const server = await start(way, { maxNames: 3 })
    const { client, subscribe, orders } = server
    await subscribe('u1-a')
    await client.follow(orders('u1-b'))
    const refused = client.follow(orders('u1-c'))
    await expect(refused).rejects.toMatchObject({
      name: 'ValidationError',
      fields: [{ message: 'must name at most 3 events' }],
    })
    await client.leave({ channels: { changed: ['u1-a'] } })
    await client.follow(orders('u1-c'))
    expect(await followedOn(server)).toEqual([['news', 'changed:u1-b', 'changed:u1-c']])
  })

  it('asks after a drop for what it follows now, and gets once what it has missed', async () => {
    const { client, changed, subscribe, orders, heard, drops, opens } = await start(way)
    await subscribe('u1-a')
    await client.follow(orders('u1-b'))
    await client.leave({ channels: { changed: ['u1-a'] } })
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toHaveLength(1), soon)
    drops.cut()
    for (const id of ['u1-a', 'u1-b']) await changed.of(id).emit({ n: 2 })
    await opens(2)
    await changed.of('u1-b').emit({ n: 3 })
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(['u1-b', 3]), soon)
    expect(heard.map(([, n]) => n)).toEqual([1, 2, 3])
    expect(drops.streams()).toEqual(['news,changed:u1-a', 'news,changed:u1-b'])
  })

  it('gets after a drop nothing of a channel that was said before it joined', async () => {
    const { client, changed, subscribe, orders, heard, drops, opens } = await start(way)
    await subscribe('u1-a')
    for (const n of [1, 2]) await changed.of('u1-b').emit({ n })
    await client.follow(orders('u1-b'))
    drops.cut()
    await changed.of('u1-b').emit({ n: 3 })
    await opens(2)
    await changed.of('u1-b').emit({ n: 4 })
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(['u1-b', 4]), soon)
    expect(heard.map(([, n]) => n)).toEqual([3, 4])
  })

  it('has the next connection take a change that a drop has come between, once', async () => {
    const gate = Promise.withResolvers<boolean>()
    const rule = vi.fn(async (_subject: string, id: string) =>
      id === 'u1-b' && rule.mock.calls.filter(([, asked]) => asked === id).length === 1
        ? gate.promise
        : true,
    )
    const server = await start(way, { rule })
    const { client, changed, subscribe, orders, heard, drops, opens } = server
    const asked = () => rule.mock.calls.filter(([, id]) => id === 'u1-b').length
    await subscribe('u1-a')
    const joined = client.follow(orders('u1-b'))
    const left = client.leave({ channels: { changed: ['u1-a'] } })
    await until(() => asked() === 1)
    drops.cut()
    await opens(2)
    await Promise.all([joined, left])
    gate.resolve(true)
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
    expect(asked()).toBe(2)
    expect(drops.streams()).toEqual(['news,changed:u1-a', 'news'])
    await until(() => server.infrastructure.streams.size === 1)
    expect(await followedOn(server)).toEqual([['news', 'changed:u1-b']])
  })

  it('asks again where the server cannot say whether it may follow a channel', async () => {
    const rule = vi.fn(async (_subject: string, id: string) => {
      if (id === 'u1-b' && rule.mock.calls.filter(([, asked]) => asked === id).length === 1) {
        throw new Error('the database is down')
      }
      return true
    })
    const { client, changed, subscribe, orders, heard } = await start(way, { rule })
    await subscribe('u1-a')
    await client.follow(orders('u1-b'))
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
  })

  it('follows what it is told to before it is open', async () => {
    const { client, changed, subscribe, orders, heard } = await start(way)
    const opened = subscribe('u1-a')
    await client.follow(orders('u1-b'))
    await opened
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
  })

  it('can follow nothing, and comes back so', async () => {
    const server = await start(way)
    const { client, changed, orders, subscribe, heard, drops, opens } = server
    await subscribe()
    await client.leave({ events: ['news'] })
    drops.cut()
    await opens(2)
    await until(() => server.infrastructure.streams.size === 1)
    expect(await followedOn(server)).toEqual([[]])
    await client.follow(orders('u1-a'))
    await changed.of('u1-a').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-a', 1]]), soon)
  })

  it('gives a channel that is followed already to the new handler', async () => {
    const { client, changed, subscribe, heard } = await start(way)
    await subscribe('u1-a')
    const again = vi.fn()
    await client.follow({ channels: { changed: { 'u1-a': ({ n }) => again(n) } } })
    await changed.of('u1-a').emit({ n: 1 })
    await vi.waitFor(() => expect(again).toHaveBeenCalledWith(1), soon)
    expect(heard).toEqual([])
  })

  it('asks again for a channel that it could not have at first', async () => {
    let isMember = false
    const rule = (_subject: string, id: string) => id !== 'u1-b' || isMember
    const { client, changed, subscribe, orders, heard } = await start(way, { rule })
    await subscribe('u1-a', 'u1-b')
    await expect(client.follow(orders('u1-b'))).rejects.toBeInstanceOf(ForbiddenError)
    isMember = true
    await client.follow(orders('u1-b'))
    await changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
  })

  it('is told who is in a room that it joins, each time', async () => {
    const server = await start(way)
    const { client, subscribe, drops } = server
    await subscribe('u1-a')
    const follow = async () => {
      const told = vi.fn((_present: string[]) => {})
      const hear = ({ present }: { present: readonly string[] }) => told(present.toSorted())
      await client.follow({ presence: { said: { r1: hear } } })
      return told
    }
    const first = await follow()
    await vi.waitFor(() => expect(first).toHaveBeenCalledWith(['u1']), soon)
    expect(await follow()).toHaveBeenCalledWith(['u1'])
    await client.leave({ channels: { said: ['r1'] } })
    const token = await tokenOf(server, 'u2')
    const other = await openTestStream(`${drops.url}/events/stream?events=said:r1&token=${token}`)
    closing.push(other.close)
    await vi.waitFor(() => expect(other.frames.length).toBeGreaterThan(1), soon)
    const again = await follow()
    await vi.waitFor(() => expect(again.mock.calls[0]).toEqual([['u1', 'u2']]), soon)
  })

  it('that is closed follows nothing: what it was to follow is refused', async () => {
    const { client, subscribe, orders } = await start(way, {
      rule: (_subject, id) => id === 'u1-a' || new Promise<never>(() => {}),
    })
    await expect(client.follow(orders('u1-a'))).rejects.toThrow('The stream is closed.')
    await client.leave({ channels: { changed: ['u1-a'] } })
    await subscribe('u1-a')
    const joining = client.follow(orders('u1-b'))
    const leaving = client.leave({ channels: { changed: ['u1-a'] } })
    client.close()
    await expect(joining).rejects.toThrow('The stream is closed.')
    await leaving
  })

  it('comes back to another instance with all that it follows', async () => {
    const database = await createTestDatabase()
    closing.push(() => database.drop())
    const env = { DATABASE_URL: database.url, CACHE_URL: 'postgres:' }
    const [here, there] = [await serve({ env }), await serve({ env })]
    let streamsAt = here
    // What is asked for beside a stream goes to the other instance.
    const drops = await startDrops(({ method }) => {
      return method === 'GET' ? streamsAt.url : there.url
    })
    const client = connect(way, drops.url)
    const { subscribe, orders, heard, opens } = listenTo(client)
    await subscribe('u1-a')
    await client.follow(orders('u1-b'))
    await expect(client.follow(orders('u2'))).rejects.toBeInstanceOf(ForbiddenError)
    await expect(client.follow(orders('u1,'))).rejects.toBeInstanceOf(ValidationError)
    await there.changed.of('u1-b').emit({ n: 1 })
    await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
    streamsAt = there
    drops.cut()
    await here.changed.of('u1-b').emit({ n: 2 })
    await opens(2)
    await here.changed.of('u1-b').emit({ n: 3 })
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(['u1-b', 3]), soon)
    expect(heard.map(([, n]) => n)).toEqual([1, 2, 3])
  })
})

it('a client over SSE has a change taken though the server has lost its stream before it knows', async () => {
  const server = await start('SSE')
  const { client, changed, subscribe, orders, heard, drops, opens } = server
  await subscribe('u1-a')
  drops.cutFromServer()
  await until(() => server.infrastructure.streams.size === 0)
  const joined = client.follow(orders('u1-b'))
  await until(() => drops.changes() === 1)
  drops.cut()
  await opens(2)
  await joined
  await changed.of('u1-b').emit({ n: 1 })
  await vi.waitFor(() => expect(heard).toEqual([['u1-b', 1]]), soon)
  expect(drops.streams()).toEqual(['news,changed:u1-a', 'news,changed:u1-a'])
})

import { describe, expect, it } from 'vitest'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineJob,
  defineJobRouter,
  defineServer,
  defineWebSocketRouter,
  t,
} from '../../index.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { passagesOf, useTestRooms, waitToSee } from './test-rooms.ts'

const rooms = useTestRooms()
const { start, pool, databaseUrl } = rooms

describe('channels with presence', () => {
  const room = defineChannel('room.said', t.Null(), { presence: true })

  it('need streams that know whose they are', async () => {
    const open = [
      defineServer().events(defineEventRouter({ room })),
      defineServer().websockets(defineWebSocketRouter({ events: { room } })),
    ]
    for (const definition of open) {
      await expect(startTestServer(definition)).rejects.toThrow(
        'The channel "room" shows who follows it',
      )
    }
  })

  it('leave no event or message the name of what they tell, and only they take it', () => {
    const presence = defineEvent('presence')
    expect(() => defineEventRouter({ room, presence })).toThrow('presence')
    expect(() =>
      defineWebSocketRouter({ events: { room }, messages: { presence: () => {} } }),
    ).toThrow('presence')
    const plain = defineChannel('plain', t.Null())
    expect(defineEventRouter({ plain, presence }).hasPresence).toBe(false)
  })

  it('are known to jobs', async () => {
    const counted = Promise.withResolvers<string[]>()
    const count = defineJob('count.room')
      .input(t.String())
      .handler(async (id) => counted.resolve(await room.of(id).present()))
    const definition = defineServer()
      .jobs(defineJobRouter({ count }))
      .events(defineEventRouter({ room }), {
        auth: { enabled: true, channels: { room: () => true } },
      })
    const server = await startTestServer(definition, { env: { DATABASE_URL: databaseUrl() } })
    await server.within(() => count.enqueue('1'))
    expect(await counted.promise).toEqual([])
    await server.stop()
  })

  it('are not known where no server streams them', async () => {
    await expect(room.of('1').present()).rejects.toThrow('No server of this process knows')
  })

  it('are told by an instance that is alone with its database', async () => {
    const { one } = rooms
    const { open } = await start('database alone')
    const ada = await open('ada', one)
    await waitToSee(ada, one, ['ada'])
    const bob = await open('bob', one)
    await waitToSee(ada, one, ['ada', 'bob'])
    await bob.leave()
    await waitToSee(ada, one, ['ada'])
    expect(passagesOf(ada, 'bob')).toEqual(['joined', 'left'])
  })

  it('stay in their process where events do', async () => {
    const definition = () =>
      defineServer().events(defineEventRouter({ room }), {
        multiInstance: false,
        auth: { enabled: true, channels: { room: () => true } },
      })
    const env = { DATABASE_URL: databaseUrl(), CACHE_URL: 'postgres:' }
    const count = async () =>
      (await pool().query('select from svc_core.presence_instances')).rows.length
    const before = await count()
    const server = await startTestServer(definition(), { env })
    expect(await count()).toBe(before)
    await server.stop()
  })
})

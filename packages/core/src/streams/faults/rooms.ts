import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Database } from '../../database/server.ts'
import { passagesOf, type Rooms, seenBy, startRooms, waitToSee } from '../presence/test-rooms.ts'
import { openTestStream } from '../test-stream.ts'
import { startInstance } from './instance.ts'

type Way = 'log' | 'cache'

/** The followers of a room on an instance of its own, which is killed. */
const subjects = Array.from({ length: 16 }, (_, at) => `u${at}`)

/** The ones that reconnect. */
const returning = subjects.slice(0, 8)

async function startDoomed(way: Way, databaseUrl: string) {
  const env = { DATABASE_URL: databaseUrl, ...(way === 'cache' && { CACHE_URL: 'postgres:' }) }
  const doomed = await startInstance({ rooms: way }, env)
  const open = async (user: string) => {
    const asked = { method: 'POST', headers: { 'test-user': user } }
    const { token } = (await (await fetch(`${doomed.url}/events/token`, asked)).json()) as {
      token: string
    }
    return openTestStream(`${doomed.url}/events/stream?events=roomSaid:1&token=${token}`)
  }
  return { ...doomed, open }
}

interface Killing {
  way: Way
  database: Pick<Database, 'url' | 'pool'>
  /** Ends the lease of the killed instance. If not given, it ends by itself. */
  endLease?: () => Promise<unknown>
}

/**
 * Kills an instance with sixteen followers, half of which reconnect to others, and checks what
 * presence promises.
 */
export async function expectPresentOnce({ way, database, endLease }: Killing) {
  const options = { way, databaseUrl: database.url }
  const [here, there] = [await startRooms(options), await startRooms(options)]
  const doomed = await startDoomed(way, database.url)
  const ada = await here.open('ada', 'roomSaid:1')
  await waitToSee(ada, 'roomSaid:1', ['ada'])
  await Promise.all(subjects.map((subject) => doomed.open(subject)))
  await waitToSee(ada, 'roomSaid:1', ['ada', ...subjects].toSorted())
  await doomed.kill()
  const killedAt = performance.now()
  const back = await Promise.all(
    returning.map((subject, at) => (at % 2 ? here : there).open(subject, 'roomSaid:1')),
  )
  // All are present until the lease ends.
  await wait(1000)
  expect(seenBy(ada, 'roomSaid:1')).toEqual(['ada', ...subjects].toSorted())
  await endLease?.()
  await vi.waitFor(
    () => expect(seenBy(ada, 'roomSaid:1')).toEqual(['ada', ...returning].toSorted()),
    { interval: 50, timeout: 45_000 },
  )
  const millis = performance.now() - killedAt
  expect(await there.ask('1')).toEqual(['ada', ...returning].toSorted())
  await Promise.all(back.map((stream) => stream.leave()))
  await waitToSee(ada, 'roomSaid:1', ['ada'])
  await wait(500)
  for (const subject of subjects) expect(passagesOf(ada, subject)).toEqual(['joined', 'left'])
  await stopAll([here, there])
  return millis
}

async function stopAll(servers: readonly Rooms[]) {
  for (const server of servers) await server.stop()
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Type as t } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cache } from '../cache/cache.ts'
import { connectCache } from '../cache/server.ts'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { defineJob } from '../jobs/jobs.ts'
import { useTestJobs } from '../jobs/test-jobs.ts'
import { connectEvents } from './connect-events.ts'
import { defineEvent } from './event.ts'
import { noRedis, upTo } from './test-broadcast.ts'

const jobs = useTestJobs()
let redis: TestRedis
let cache: Cache
let child: ChildProcess | undefined
let events: ReturnType<typeof connectEvents>

beforeEach(async () => {
  redis = await startTestRedis()
  cache = await connectCache(redis.url, { log: jobs.log })
  events = connectEvents({ log: jobs.log, database: jobs.database, cache })
})
afterEach(async () => {
  await events.close()
  child?.kill('SIGKILL')
  await cache.close()
  await redis.stop()
})

/** A server in a process of its own, with the same event and job; answers what it says. */
async function startInstance() {
  const at = (path: string) => new URL(path, import.meta.url).href
  const program = `
    import { Type as t } from 'typebox'
    import { defineEvent } from '${at('./event.ts')}'
    import { defineJob } from '${at('../jobs/jobs.ts')}'
    import { createLogger } from '${at('../observation/logger.ts')}'
    import { defineServer } from '${at('../definition/define-server.ts')}'
    import { startServer } from '${at('../server/start-server.ts')}'
    const placed = defineEvent('placed', t.Object({ at: t.Number() }))
    placed.subscribe(({ at }) => console.log('heard', at))
    const pack = defineJob('pack').on(placed).handler(({ at }) => console.log('packed', at))
    await startServer(defineServer().jobs({ pack }), { port: 0, log: createLogger({ level: 'silent' }) })
    process.stdin.on('data', () => placed.emit({ at: -1 }))
    console.log('up')`
  const flags = ['--conditions=svc-source', '--input-type=module', '-e', program]
  child = spawn(process.execPath, flags, {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CACHE_URL: redis.url, DATABASE_URL: jobs.database.url },
  })
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const said: string[] = []
  lines.on('line', (line) => said.push(line))
  await once(lines, 'line')
  return {
    said: (word: string) => said.filter((line) => line.startsWith(word)),
    emit: () => child?.stdin?.write('emit\n'),
  }
}

describe.skipIf(noRedis)(`two processes${noRedis}`, () => {
  it('hear each other’s emissions once, and the emitting one alone enqueues (E-012, E-016)', async () => {
    const other = await startInstance()
    const placed = defineEvent('placed', t.Object({ at: t.Number() }))
    const heard: number[] = []
    placed.subscribe(({ at }) => heard.push(at))
    const packed: number[] = []
    const pack = defineJob('pack')
      .on(placed)
      .handler(({ at }) => packed.push(at))
    await jobs.start({ pack })
    await events.wired()

    for (const at of upTo(20)) await placed.emit({ at })
    other.emit()

    const all = [...upTo(20), -1].toSorted((a, b) => a - b)
    await vi.waitFor(() => expect(heard.toSorted((a, b) => a - b)).toEqual(all), 5000)
    await vi.waitFor(() => expect(other.said('heard')).toHaveLength(21), 5000)
    expect(other.said('heard').filter((line) => line !== 'heard -1')).toEqual(
      upTo(20).map((at) => `heard ${at}`),
    )
    expect(await jobs.rows('pack')).toHaveLength(21)
    await vi.waitFor(() => expect(packed.length + other.said('packed').length).toBe(21), 10_000)
  }, 40_000)
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../testing/free-port.ts'
import { launchRedis, startTestRedis } from '../test-redis.ts'

export type TestSentinel = Awaited<ReturnType<typeof startTestSentinel>>

/** A primary, its replica, and a Sentinel that lets the replica take over half a second after the primary is gone. */
export async function startTestSentinel({ password = '', host = '127.0.0.1' } = {}) {
  // By default, a replica waits 5 s for others before it gets its copy.
  const primary = await startTestRedis(...listenedAt(host), '--repl-diskless-sync-delay', '0')
  const replica = await startTestRedis(
    ...listenedAt(host),
    '--replicaof',
    host,
    String(primary.port),
  )
  const directory = await mkdtemp(join(tmpdir(), 'svc-sentinel-'))
  const port = await freePort()
  const settings = join(directory, 'sentinel.conf')
  await writeFile(settings, settingsOf({ port, directory, password, host, primary: primary.port }))
  const sentinel = await launchRedis(port, [settings, '--sentinel'])
  await untilKnown(port, password)
  return {
    port,
    kill: () => sentinel.kill(),
    restart: () => sentinel.restart(),
    /** A command of its operator. */
    call: (command: string, ...given: string[]) => sentinel.call(command, ...given),
    primary,
    replica,
    /** The first of the two does not answer. */
    url: `redis+sentinel://127.0.0.1:1,127.0.0.1:${port}/0?name=mymaster`,
    async stop() {
      await sentinel.kill()
      await Promise.all([primary.stop(), replica.stop()])
      await rm(directory, { recursive: true })
    },
  }
}

/** A test reaches each of them at 127.0.0.1 too. */
const listenedAt = (host: string) => ['--bind', ...new Set(['127.0.0.1', host])]

interface Settings {
  port: number
  directory: string
  password: string
  host: string
  primary: number
}

function settingsOf(given: Settings) {
  return `
    port ${given.port}
    ${listenedAt(given.host).join(' ').slice(2)}
    dir ${given.directory}
    sentinel monitor mymaster ${given.host} ${given.primary} 1
    sentinel down-after-milliseconds mymaster 500
    sentinel failover-timeout mymaster 2000
    ${given.password && `requirepass ${given.password}`}
  `
}

/** Before it has seen the replica and its copy, it would let none take over. */
async function untilKnown(port: number, password: string) {
  const sentinel = new Redis({ port, ...(password && { password }) })
  for (;;) {
    const replicas = (await sentinel.call('SENTINEL', 'REPLICAS', 'mymaster')) as string[][]
    if (replicas.some((facts) => facts.includes('slave') && facts.includes('ok'))) break
    await wait(50)
  }
  sentinel.disconnect()
}

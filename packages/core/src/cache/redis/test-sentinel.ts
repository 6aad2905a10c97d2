import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../testing/free-port.ts'
import { launchRedis, startTestRedis } from '../test-redis.ts'

export type TestSentinel = Awaited<ReturnType<typeof startTestSentinel>>

interface Options {
  /** Of the Sentinel. */
  password?: string
  /** For the servers and the Sentinel, which then talk over TLS. Takes a port for it. */
  tlsAt?: (port: number) => string[]
  /** The name or address that they announce. */
  host?: string
}

/** A primary, its replica, and a Sentinel that lets the replica take over half a second after the primary is gone. */
export async function startTestSentinel({
  password = '',
  tlsAt,
  host = '127.0.0.1',
}: Options = {}) {
  const secure = async (...others: string[]) => {
    if (!tlsAt) return { flags: others, tlsPort: undefined }
    const tlsPort = await freePort()
    const named = ['--replica-announce-ip', host, '--replica-announce-port', String(tlsPort)]
    return { flags: [...others, ...named, '--tls-replication', 'yes', ...tlsAt(tlsPort)], tlsPort }
  }
  // By default, a replica waits 5 s for others before it gets its copy.
  const bind = ['--bind', ...addressesAt(host)]
  const first = await secure(...bind, '--repl-diskless-sync-delay', '0')
  const primary = await startTestRedis(...first.flags)
  const primaryPort = first.tlsPort ?? primary.port
  const second = await secure(...bind, '--replicaof', host, String(primaryPort))
  const replica = await startTestRedis(...second.flags)
  const directory = await mkdtemp(join(tmpdir(), 'svc-sentinel-'))
  const [port, tlsPort] = [await freePort(), await freePort()]
  const settings = join(directory, 'sentinel.conf')
  const monitor = `${host} ${primaryPort}`
  await writeFile(settings, settingsOf({ port, directory, password, host, monitor, quorum: 1 }))
  const tls = tlsAt ? ['--tls-replication', 'yes', ...tlsAt(tlsPort)] : []
  const sentinel = await launchRedis(port, [settings, '--sentinel', ...tls])
  await untilKnown(port, password)
  return {
    port,
    tlsPort,
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
const addressesAt = (host: string) => [...new Set(['127.0.0.1', ...(isIP(host) ? [host] : [])])]

interface Settings {
  port: number
  directory: string
  password: string
  /** Where all of them are. */
  host?: string
  /** Where the primary is. */
  monitor: string
  quorum: number
}

export function settingsOf(given: Settings) {
  const addresses = addressesAt(given.host ?? '127.0.0.1')
  return `
    port ${given.port}
    bind ${addresses.join(' ')}
    dir ${given.directory}
    sentinel resolve-hostnames yes
    sentinel announce-hostnames yes
    sentinel announce-ip ${addresses.at(-1)}
    sentinel monitor mymaster ${given.monitor} ${given.quorum}
    sentinel down-after-milliseconds mymaster 500
    sentinel failover-timeout mymaster 2000
    ${given.password && `requirepass ${given.password}`}
  `
}

/** Before it has seen the replica and its copy, it would let none take over. */
export async function untilKnown(port: number, password = '') {
  const sentinel = new Redis({ port, ...(password && { password }) })
  for (;;) {
    const replicas = (await sentinel.call('SENTINEL', 'REPLICAS', 'mymaster')) as string[][]
    if (replicas.some((facts) => facts.includes('slave') && facts.includes('ok'))) break
    await wait(50)
  }
  sentinel.disconnect()
}

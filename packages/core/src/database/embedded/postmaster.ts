import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster } from './cluster.ts'
import { serverUser } from './own-user.ts'
import { asUser, exitOf, handOver, isAlive } from './run-as.ts'

/** The content of `postmaster.pid` of a running server. */
export interface Postmaster {
  pid: number
  port: number
  onSocket: boolean
}

export async function readPostmaster({ pg }: Cluster): Promise<Postmaster | null> {
  const text = await readFile(join(pg, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketDirectory] = text.split('\n')
  if (!pid || !port) return null
  return { pid: Number(pid), port: Number(port), onSocket: Boolean(socketDirectory?.trim()) }
}

export async function addressOf({ pg }: Cluster, { port, onSocket }: Postmaster) {
  const password = (await readFile(join(pg, 'svc.password'), 'utf8')).trim()
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  return onSocket ? `${url}?host=${encodeURIComponent(pg)}` : url
}

/**
 * Whether the process in `postmaster.pid` is still the server: after a reboot it may be any other.
 */
export async function isRunning({ pg }: Cluster, { pid }: Postmaster) {
  if (!isAlive(pid)) return false
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') {
    const [folder, wanted] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
      realpath(pg),
    ])
    return folder === wanted
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  )
  return stdout.includes('postgres')
}

/** PostgreSQL would refuse to start while any process has the id that a dead server left behind. */
export async function forget(cluster: Cluster, { pid }: Postmaster) {
  const current = await readPostmaster(cluster)
  if (current?.pid === pid) await rm(join(cluster.pg, 'postmaster.pid'), { force: true })
}

export type Transport = { on: 'socket' } | { on: 'loopback'; port: number }

/**
 * Starts a server in a session of its own: a Ctrl-C that ends the API must not end a database that
 * others use.
 */
export async function spawnPostmaster(cluster: Cluster, transport: Transport) {
  const program = join(await cluster.binaries(), 'bin', 'postgres')
  const user = await serverUser(cluster)
  const log = await openLog(cluster)
  const folder = await handOver(cluster.pg, 3)
  const options = settings(cluster, transport).flatMap((setting) => ['-c', setting])
  const server: { ended: string | null } = { ended: null }
  const noteEnd = async (reason: string) => {
    server.ended = (await log.lastWords()) || reason
  }
  try {
    const child = spawn(program, ['-D', folder.path, ...options], {
      ...asUser(user),
      detached: true,
      stdio: ['ignore', log.handle.fd, log.handle.fd, folder.stdio],
    })
    child.unref()
    void exitOf(child).then((reason) => noteEnd(reason ?? 'it ended'))
  } finally {
    await Promise.all([log.handle.close(), folder.close()])
  }
  return server
}

function settings({ fsync }: Cluster, transport: Transport) {
  const listen =
    transport.on === 'socket'
      ? ['listen_addresses=', 'unix_socket_directories=.', 'unix_socket_permissions=0700']
      : ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${transport.port}`]
  const durability = fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  return [...listen, ...durability, 'timezone=UTC', 'log_timezone=UTC', 'max_connections=200']
}

/** The log since this start. Older lines are kept, up to a megabyte. */
async function openLog({ directory }: Cluster) {
  const path = join(directory, 'postgres.log')
  const handle = await open(path, 'a', 0o600)
  const { size } = await handle.stat()
  const start = size > 1_000_000 ? 0 : size
  if (start === 0) await handle.truncate()
  return {
    handle,
    async lastWords() {
      // If the directory has been removed meanwhile, there is no log to read.
      const log = (await readFile(path).catch(() => Buffer.of())).subarray(start).toString()
      return /FATAL: +(.*)/.exec(log)?.[1] ?? log.trim().split('\n').at(-1)
    },
  }
}

/** Fast shutdown: transactions are rolled back, and nothing waits for clients to leave. */
export async function stopPostmaster(cluster: Cluster, server: Postmaster) {
  await signal(cluster, server, 'SIGINT')
  for (let waited = 0; isAlive(server.pid) && (await stillNames(cluster, server)); waited += 10) {
    // Immediate shutdown: the next start recovers, as after a power cut.
    if (waited === 10_000) await signal(cluster, server, 'SIGQUIT')
    await sleep(10)
  }
}

async function stillNames(cluster: Cluster, { pid }: Postmaster) {
  return (await readPostmaster(cluster))?.pid === pid
}

async function signal(cluster: Cluster, { pid }: Postmaster, name: 'SIGINT' | 'SIGQUIT') {
  if (process.platform !== 'win32') {
    process.kill(pid, name)
    return
  }
  // Windows has no signals: Node would end the process without a checkpoint.
  const mode = name === 'SIGINT' ? 'fast' : 'immediate'
  const control = join(await cluster.binaries(), 'bin', 'pg_ctl')
  await promisify(execFile)(control, ['stop', '-D', cluster.pg, '-m', mode]).catch(() => {})
}

/** A socket's path, with its closing NUL, has 108 bytes on Linux and 104 on macOS. */
export function pickTransport(cluster: Cluster): Transport {
  const fits = Buffer.byteLength(join(cluster.pg, '.s.PGSQL.5432')) < 104
  return fits && process.platform !== 'win32' ? { on: 'socket' } : usualPort(cluster)
}

/**
 * For file systems without sockets, such as a folder shared with a container, and for a port that
 * is taken.
 */
export async function otherTransport(cluster: Cluster, failed: Transport): Promise<Transport> {
  if (failed.on === 'socket') return usualPort(cluster)
  return { on: 'loopback', port: await freePort() }
}

/** The same port each time, so that the connections of a running API find a restarted server. */
function usualPort({ pg }: Cluster): Transport {
  const digest = createHash('sha256').update(pg).digest()
  return { on: 'loopback', port: 20_000 + (digest.readUInt16BE() % 12_000) }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

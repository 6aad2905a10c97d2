import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../find-program.ts'

export const servers = ['redis-server', 'valkey-server']
const installTried = join('.svc', 'redis-install-tried')
const installMillis = 90_000

export interface TestRedis {
  /** What happened, for a reader of the test's output. */
  note: string
  url: string | null
  stop: () => Promise<void>
}

/** A Redis without persistence on a free port, for one run of the tests. */
export async function startRedis(given = process.env['CACHE_URL_TEST']): Promise<TestRedis> {
  if (given)
    return { note: `Redis: using CACHE_URL_TEST ${given}`, url: given, stop: async () => {} }

  const found = findProgram(...servers)
  const program = findOrInstallRedis()
  if (program === null) {
    const note =
      'Redis: no redis-server or valkey-server here, so the tests that need one are skipped'
    return { note, url: null, stop: async () => {} }
  }

  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const server = spawn(
    program,
    [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ],
    // A process group of its own, so that Ctrl-C ends the tests before their Redis.
    { stdio: 'ignore', detached: true },
  )
  const ended = new Promise<void>((resolve) => {
    server.on('error', () => resolve())
    server.on('close', () => resolve())
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  if (!(await answersPing(port))) {
    await stop()
    const note = `Redis: ${program} does not answer, so the tests that need it are skipped`
    return { note, url: null, stop: async () => {} }
  }
  const how = found === null ? 'installed by apt-get and started' : 'started'
  return {
    note: `Redis: ${program} ${how} on port ${port}`,
    url: `redis://127.0.0.1:${port}`,
    stop,
  }
}

/** The program on this machine. It is installed first if that is possible. */
export function findOrInstallRedis(): string | null {
  return findProgram(...servers) ?? (install() ? findProgram(...servers) : null)
}

/** Tried once in a checkout: a machine without a network should not wait for it every time. */
function install() {
  const aptGet = findProgram('apt-get')
  if (aptGet === null || process.getuid?.() !== 0 || existsSync(installTried)) return false
  console.log('Redis: installing redis-server with apt-get …')
  mkdirSync('.svc', { recursive: true })
  writeFileSync(installTried, 'Delete this file to let npm test install redis-server again.\n')

  const until = Date.now() + installMillis
  const steps = [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']]
  return steps.every((step) => {
    const { status } = spawnSync(aptGet, ['-qq', ...step], {
      stdio: 'ignore',
      timeout: Math.max(1, until - Date.now()),
      // In runlevel 1, Debian starts no service, so none is left running on the machine.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
    return status === 0
  })
}

async function freePort() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answersPing(port: number) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await ping(port)) return true
    await sleep(50)
  }
  return false
}

function ping(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', (answer) => {
      socket.destroy()
      resolve(answer.toString().startsWith('+PONG'))
    })
    socket.once('error', () => resolve(false))
  })
}

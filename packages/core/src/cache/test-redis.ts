import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../testing/free-port.ts'

/** The server that this machine has and a test may kill. */
export const redisProgram = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

export type TestRedis = Awaited<ReturnType<typeof startTestRedis>>

/** Starts a Redis of one's own on a free port: it may be killed, paused and started again. */
export async function startTestRedis(...flags: string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-redis-'))
  const port = await freePort()
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
  const server = await launchRedis(port, [...address, ...flags, '--dir', directory])
  return {
    ...server,
    port,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await server.kill()
      await rm(directory, { recursive: true })
    },
  }
}

/** Starts the program with these arguments, by which it listens on the port. */
export async function launchRedis(port: number, given: string[]) {
  let server = await launch(port, given)
  return {
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    kill: () => end(server),
    async restart() {
      server = await launch(port, given)
    },
    /** A command of its operator. */
    async call(command: string, ...rest: (string | number)[]) {
      const { Redis } = await import('ioredis')
      const admin = new Redis(port)
      return admin.call(command, ...rest).finally(() => admin.disconnect())
    },
  }
}

async function launch(port: number, given: string[]) {
  const server = spawn(redisProgram ?? '', given, { stdio: 'ignore' })
  // A test run that is interrupted leaves no server behind.
  const killer = () => server.kill('SIGKILL')
  process.once('exit', killer)
  server.once('exit', () => process.off('exit', killer))
  while (!(await isListening(port))) await wait(20)
  return server
}

function isListening(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function end(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

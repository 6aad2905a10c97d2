import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { killProgram, launchProgram } from '../testing/test-program.ts'

const isThere = (name: string) => spawnSync(name, ['--version']).status === 0

/** Valkey: that of this variable, or the machine's. */
export const valkeyProgram = [process.env['SVC_TEST_VALKEY'] ?? 'valkey-server'].find(isThere)

/** The server that a test may kill: the Valkey that was named, or what the machine has. */
export const redisProgram = process.env['SVC_TEST_VALKEY']
  ? valkeyProgram
  : ['redis-server', 'valkey-server'].find(isThere)

/** A Redis or Valkey that a test can pause, kill and restart. `call` sends it a command. */
export type TestRedis = Awaited<ReturnType<typeof startTestRedis>>

/** Starts a Redis of one's own on a free port: it may be killed, paused and started again. */
export const startTestRedis = (...flags: string[]) => startServer(redisProgram, flags)

/** The same with Valkey. */
export const startTestValkey = (...flags: string[]) => startServer(valkeyProgram, flags)

async function startServer(program: string | undefined, flags: string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-redis-'))
  const port = await freePort()
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
  const server = await launchRedis(port, [...address, ...flags, '--dir', directory], program)
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
export async function launchRedis(port: number, given: string[], program = redisProgram) {
  const launch = () => launchProgram(program ?? '', given, port)
  let server = await launch()
  return {
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    kill: () => killProgram(server),
    async restart() {
      server = await launch()
    },
    /** A command of its operator. */
    async call(command: string, ...rest: (string | number)[]) {
      const { Redis } = await import('ioredis')
      const admin = new Redis(port)
      return admin.call(command, ...rest).finally(() => admin.disconnect())
    },
  }
}

import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { killProgram, launchProgram } from '../testing/test-program.ts'
import { startWire } from './test-wire.ts'

interface Program {
  readonly path: string
  /** As 1.24. */
  readonly version: number
}

/** The pooler that a test may start: that of this variable, or the machine's. */
const pgbouncer = findProgram(process.env['SVC_TEST_PGBOUNCER'] ?? 'pgbouncer')

/** 0 where there is none. */
export const poolerVersion = pgbouncer?.version ?? 0

function findProgram(path: string): Program | undefined {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return minor ? { path, version: Number(`${major}.${minor}`) } : undefined
}

interface Options {
  mode: 'transaction' | 'session'
  /** How many statements it remembers; 0 is none. Versions before 1.21 know no such setting. */
  preparedStatements?: number
}

/** A PgBouncer that runs for a test, at `url`. */
export type TestPooler = Awaited<ReturnType<typeof startTestPooler>>

/** A PgBouncer before a database, with two connections to it. */
export async function startTestPooler(databaseUrl: string, { mode, preparedStatements }: Options) {
  const wire = await startWire(databaseUrl)
  const target = new URL(wire.url)
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'))
  // It does not run as root, and reads this as the user it becomes.
  await chmod(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const name = target.pathname.slice(1)
  await writeFile(
    file,
    [
      '[databases]',
      `${name} = host=${target.hostname} port=${target.port} user=${target.username} password=${decodeURIComponent(target.password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 2',
      ...(preparedStatements === undefined
        ? []
        : [`max_prepared_statements = ${preparedStatements}`]),
    ].join('\n'),
  )
  let running = await launch(file, port)
  return {
    url: `postgres://anyone@127.0.0.1:${port}/${name}`,
    async restart() {
      await killProgram(running)
      running = await launch(file, port)
    },
    async stop() {
      await killProgram(running)
      wire.close()
      await rm(folder, { recursive: true })
    },
  }
}

function launch(file: string, port: number) {
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  return launchProgram(pgbouncer?.path ?? '', [...asOther, file], port)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@svc/core/testing'
import { type Running, startChild } from '../harness/child.ts'
import { freePort } from '../harness/served.ts'
import { databaseCpuMicros } from './database-cpu.ts'

const clustered = fileURLToPath(new URL('clustered.ts', import.meta.url))

type Database = Awaited<ReturnType<typeof createTestDatabase>>
type Sources = NonNullable<NonNullable<Parameters<typeof createTestDatabase>[0]>['sources']>

export interface Peer {
  url: string
  running: Running
  /** The bench's own connections to the peer's database. */
  pool: Database['pool']
  databaseUrl: string
}

/**
 * One PostgreSQL for all, durable as in production, with a database for each server that is
 * started.
 */
export function openPeers() {
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const databases: Database[] = []
  const servers: Running[] = []

  /** Starts a server, in several processes if needed. */
  async function open(file: string, processes = 1, sources: Sources = []): Promise<Peer> {
    const serverUrl = `embedded:${directory}/data`
    const database = await createTestDatabase({ serverUrl, sources })
    databases.push(database)
    const path = fileURLToPath(new URL(file, import.meta.url))
    const own = {
      DATABASE_URL: database.processUrl ?? database.url,
      DATABASE_URL_DIRECT: database.url,
    }
    const running = await (processes === 1
      ? startChild(path, own)
      : startChild(clustered, {
          ...own,
          BENCH_FILE: path,
          BENCH_PROCESSES: `${processes}`,
          BENCH_PORT: `${await freePort()}`,
        }))
    servers.push(running)
    const usage = async () => ({
      ...(await running.usage()),
      databaseMicros: databaseCpuMicros(join(directory, 'data')),
    })
    return {
      url: running.url,
      pool: database.pool,
      databaseUrl: database.url,
      running: { ...running, usage },
    }
  }

  async function closeAll() {
    await Promise.all(servers.map((server) => server.stop()))
    for (const database of databases) await database.drop()
    rmSync(directory, { recursive: true, force: true })
  }

  let closed: Promise<void> | undefined
  const close = () => (closed ??= closeAll())
  // An aborted run must not leave PostgreSQL running.
  const breakOff = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff)

  return { open, close }
}

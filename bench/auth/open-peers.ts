import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@svc/core/testing'
import { type Running, startChild } from '../harness/child.ts'

type Database = Awaited<ReturnType<typeof createTestDatabase>>

export interface Peer {
  url: string
  running: Running
  /** The bench's own connections to the database of the peer. */
  pool: Database['pool']
}

/** One PostgreSQL for all, durable as in production, and on it a database for each server that is started. */
export function openPeers() {
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const databases: Database[] = []
  const servers: Running[] = []

  async function open(file: string): Promise<Peer> {
    const database = await createTestDatabase({ serverUrl: `embedded:${directory}/data` })
    databases.push(database)
    const path = fileURLToPath(new URL(file, import.meta.url))
    const running = await startChild(path, { DATABASE_URL: database.url })
    servers.push(running)
    return { url: running.url, pool: database.pool, running }
  }

  async function closeAll() {
    await Promise.all(servers.map((server) => server.stop()))
    for (const database of databases) await database.drop()
    rmSync(directory, { recursive: true, force: true })
  }

  let closed: Promise<void> | undefined
  const close = () => (closed ??= closeAll())
  // A run that is broken off must not leave PostgreSQL behind.
  const breakOff = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff)

  return { open, close }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, startTestRedis } from '@svc/core/testing'
import { forked, nextMessage, stopChild } from '../harness/child.ts'
import type { InstanceOrder } from './many-instance.ts'

const file = fileURLToPath(new URL('many-instance.ts', import.meta.url))

export interface Instance {
  ask<Answer>(order: InstanceOrder): Promise<Answer>
}

/** Two instances of one application, and what they share. */
export interface Pair {
  first: Instance
  second: Instance
}

/** Everything that this bench starts, and the only way to stop it. */
export function openPairs() {
  const closing: (() => unknown)[] = []

  async function startInstance(env: NodeJS.ProcessEnv): Promise<Instance> {
    const child = forked(file, env)
    closing.push(() => stopChild(child))
    await nextMessage(child)
    return {
      ask<Answer>(order: InstanceOrder) {
        const answer = nextMessage<Answer>(child)
        child.send(order)
        return answer
      },
    }
  }

  async function startPair(env: NodeJS.ProcessEnv): Promise<Pair> {
    const first = await startInstance(env)
    return { first, second: await startInstance(env) }
  }

  async function overRedis() {
    const redis = await startTestRedis()
    closing.push(() => redis.stop())
    return startPair({ CACHE_URL: redis.url })
  }

  /** Durable, as in production. */
  async function overPostgres() {
    const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
    closing.push(() => rmSync(directory, { recursive: true, force: true }))
    const database = await createTestDatabase({ serverUrl: `embedded:${directory}/data` })
    closing.push(() => database.drop())
    await database.pool.query('create table written (id bigserial primary key, note text not null)')
    const env = { CACHE_URL: 'postgres:', DATABASE_URL: database.url }
    const pair = await startPair(env)
    return { pair, withHistory: await startPair({ ...env, HISTORY: 'on' }), url: database.url }
  }

  async function closeAll() {
    for (let close = closing.pop(); close; close = closing.pop()) await close()
  }

  let closed: Promise<void> | undefined
  const close = () => (closed ??= closeAll())
  // An aborted run must not leave a server running.
  const breakOff = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff)

  return { overRedis, overPostgres, close }
}

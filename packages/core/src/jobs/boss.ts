import { PgBoss } from 'pg-boss'
import { clientOf, type Db } from '../database/database.ts'
import type { Database } from '../database/server.ts'
import type { Log } from '../observation/observation.ts'

/**
 * Longer than for a request: the installation and clean-up statements of a large queue take a
 * while.
 */
const statementMillis = 60_000

/** In an outage, every worker of every queue fails every other second with the same message. */
const repeatMillis = 60_000

/** pg-boss on the application's own pool, so that jobs use only the configured connections. */
export function createBoss(pool: Database['pool'], log: Pick<Log, 'warn'>, scheduled: boolean) {
  const boss = new PgBoss({
    schema: 'svc_jobs',
    schedule: scheduled,
    db: {
      executeSql: (text, values = []) =>
        pool.query(Object.assign({ text, values }, { query_timeout: statementMillis })),
    },
  })
  const warn = rarely((message: string) => log.warn({ reason: message }, 'jobs are held up'))
  boss.on('error', (error) => warn(error.message.replace(/ \(Queue: .*/, '')))
  // The data of a warning about a slow statement contains its values.
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'jobs need attention'))
  return boss
}

/** Runs statements in an open transaction, for `send`. */
export function insideTransaction(tx: Db) {
  const client = clientOf(tx)
  return client
    ? { db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) } }
    : {}
}

/**
 * pg-boss limits its wait for jobs, but not the wait for its own statements, which a hanging
 * database leaves open.
 */
export async function stopWithin(boss: PgBoss, millis: number) {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis + 1000)
  })
  await Promise.race([boss.stop({ timeout: millis }), patience])
  clearTimeout(timer)
}

function rarely(say: (message: string) => void) {
  const said = new Map<string, number>()
  return (message: string) => {
    const now = performance.now()
    if (now - (said.get(message) ?? -repeatMillis) < repeatMillis) return
    if (said.size > 100) said.clear()
    said.set(message, now)
    say(message)
  }
}

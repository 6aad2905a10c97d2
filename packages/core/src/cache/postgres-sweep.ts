import type { Statements } from './postgres-statements.ts'

const sweepMillis = 10_000
const batch = 2000

const sweepEntries = {
  name: 'svc_cache_sweep',
  text: `
    delete from svc_core.cache_entries where expires_at <= now() and key in (
      select key from svc_core.cache_entries where expires_at <= now()
      limit ${batch} for update skip locked)`,
}

// The oldest have the lowest ids, so no index on the time is needed.
const sweepMessages = {
  name: 'svc_messages_sweep',
  text: `
    delete from svc_core.messages where id in (
      select id from svc_core.messages
      where id < (select min(id) from svc_core.messages) + ${batch}
        and created_at < now() - interval '1 minute'
      for update skip locked)`,
}

/**
 * Deletes expired rows, in batches so small that no other query waits long. Every instance sweeps,
 * and skips the rows that another one is deleting.
 */
export async function sweep({ run }: Pick<Statements, 'run'>) {
  for (const statement of [sweepEntries, sweepMessages]) {
    // Ids that were never committed leave a batch a little short.
    while ((await run(statement)).count > batch / 2);
  }
}

/** Returns a function that ends it. If a sweep fails, the next one does its work. */
export function startSweeping(statements: Pick<Statements, 'run'>) {
  // Random, so that instances that started together do not sweep together.
  const millis = sweepMillis * (0.8 + Math.random() * 0.4)
  const timer = setInterval(() => void sweep(statements).catch(() => {}), millis)
  timer.unref()
  return () => clearInterval(timer)
}

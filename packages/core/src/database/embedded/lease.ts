import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { databaseFailure } from '../failures.ts'
import { isAlive } from './run-as.ts'

/**
 * A process claims the server by a connection that holds a shared advisory lock, which ends with
 * the process in any case. The process that gets the exclusive lock is the last user, and no other
 * can join while it holds that lock.
 */
const leaseKey = 7_235_811_936_204_467

/** `pg` has these two, its types do not. */
export type Lease = Client & { ref(): void; unref(): void }

/** Null while the server is starting, stopping or gone. */
export async function takeLease(url: string) {
  const lease = new Client({
    connectionString: url,
    application_name: `svc lease ${process.pid}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  }) as Lease
  lease.on('error', () => {})
  try {
    await lease.connect()
    await lease.query(`select pg_advisory_lock_shared(${leaseKey})`)
    // A process that forgets to leave can end nevertheless.
    lease.unref()
    return lease
  } catch (error) {
    lease.end().catch(() => {})
    if (isPassing(error)) return null
    throw error
  }
}

/**
 * Gives the claim back. True if no other process has one: then none can get one until `lease` ends.
 */
export async function leaveLast(lease: Lease) {
  lease.ref()
  await lease.query(`select pg_advisory_unlock_shared(${leaseKey})`)
  for (let tries = 0; tries < 50; tries++) {
    const { rows } = await lease.query(`select pg_try_advisory_lock(${leaseKey}) as last`)
    if (rows[0].last) return true
    if (await hasLivingHolder(lease)) return false
    // The server takes a moment to see that the process of a claim was killed.
    await sleep(20)
  }
  return false
}

async function hasLivingHolder(lease: Lease) {
  const { rows } = await lease.query<{ process: number }>(`
    select substring(application_name from '[0-9]+')::int as process
    from pg_stat_activity where application_name like 'svc lease %' and pid <> pg_backend_pid()`)
  return rows.some(({ process }) => isAlive(process))
}

function isPassing(error: unknown) {
  const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return gone || databaseFailure(error)?.status === 503
}

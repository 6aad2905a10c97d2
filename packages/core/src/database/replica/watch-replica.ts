import type { ClientConfig } from 'pg'
import type { Log } from '../../observation/observation.ts'
import { DatabaseConnectionError } from '../errors.ts'
import { createAsker } from '../probe.ts'
import { Staleness } from './staleness.ts'

/** `behind`: further behind than allowed. */
export type ReplicaState = 'up' | 'behind' | 'down'

interface Watched {
  primary: ClientConfig
  replica: ClientConfig
  mostMillis: number
  log: Pick<Log, 'info' | 'warn'>
}

/** A second: the staleness is overestimated by this at most. */
const lookMillis = 1000

const ofBoth = `system_identifier::text || '/' || current_database() as "database"`
const askPrimary = `
  select ${ofBoth}, (pg_current_wal_lsn() - '0/0')::text as position from pg_control_system()`
const askReplica = `
  select ${ofBoth}, (pg_last_wal_replay_lsn() - '0/0')::text as position,
    pg_is_in_recovery() as "isReplica", exists (select from pg_stat_wal_receiver) as "isFollowing"
  from pg_control_system()`

interface PrimaryRow {
  database: string
  position: string
}

interface ReplicaRow extends PrimaryRow {
  isReplica: boolean
  isFollowing: boolean
}

/**
 * Checks both each second. Refuses if the address leads to another database, where data would seem
 * to disappear.
 */
export async function watchReplica({ primary, replica, mostMillis, log }: Watched) {
  const askers = { primary: createAsker(primary), replica: createAsker(replica) }
  const staleness = new Staleness()
  let isThere = false
  let known: ReplicaState = 'up'

  async function look() {
    const expected = await askers.primary.ask<PrimaryRow>(askPrimary)
    if (expected) staleness.mark(BigInt(expected.position))
    const seen = await askers.replica.ask<ReplicaRow>(askReplica)
    const isOther = expected && seen && expected.database !== seen.database
    isThere = seen?.isReplica === true && !isOther
    if (!isThere) staleness.lose()
    // A replica that follows no primary may miss the changes of a new one, so its age grows.
    else if (seen?.isFollowing) staleness.replayed(BigInt(seen.position))
    tell()
    return { isOther }
  }

  function state(): ReplicaState {
    if (staleness.millis <= mostMillis) return 'up'
    return isThere ? 'behind' : 'down'
  }

  /** A connection was refused or lost. The replica is not used until it answers again. */
  function lose() {
    isThere = false
    staleness.lose()
    tell()
  }

  function tell() {
    const now = state()
    if (now === known) return
    if (now === 'up') log.info('the replica can be read again')
    else log.warn({ replica: now }, 'routes that may be stale read from the primary')
    known = now
  }

  let looking: Promise<unknown> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, lookMillis).unref()

  async function close() {
    clearInterval(timer)
    await looking
    await Promise.all([askers.primary.close(), askers.replica.close()])
  }

  const { isOther } = await look()
  if (isOther) {
    await close()
    throw new DatabaseConnectionError(
      'DATABASE_URL_REPLICA leads to another database than DATABASE_URL: give the address of a replica of it.',
    )
  }
  return { state, lose, close }
}

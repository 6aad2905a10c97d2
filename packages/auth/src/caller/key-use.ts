import { type Clock, clientAddress, type Log, type RawContext } from '@svc/core'
import type { Pool } from 'pg'
import type { CallerRow } from './caller-types.ts'

interface Use {
  firstAt: Date
  lastAt: Date
  address: string | null
  /** Two addresses used it within one batch. */
  wasConcurrent: boolean
}

// A key is noted at most once a minute: of 1,000 requests a second, one write in a thousand is left.
const noteEveryMillis = 60_000
const batchMillis = 10_000

// A batch locks many keys, so it waits for none. Otherwise it would deadlock with another batch, or
// with a call that revokes them all.
const writeUses = `with free as materialized (
  select key_id from svc_auth.device_keys
  where key_id = any($1) and state = 'active' for no key update skip locked
)
update svc_auth.device_keys as k
set last_used_at = greatest(k.last_used_at, e.last_at),
  unused_seconds = greatest(k.unused_seconds, 0,
    extract(epoch from e.first_at - greatest(k.last_used_at, k.signed_in_at, k.created_at))::integer),
  concurrent_use_at = case
    when e.was_concurrent or (
      k.last_address is distinct from e.address
      and k.last_used_at >= e.first_at - make_interval(secs => $6::float8 / 1000)
    ) then e.last_at else k.concurrent_use_at end,
  last_address = e.address
from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::text[], $5::bool[])
  as e(key_id, first_at, last_at, address, was_concurrent) join free using (key_id)
where k.key_id = e.key_id`

export type KeyUse = ReturnType<typeof createKeyUse>

interface Needs {
  pool: Pool
  clock: Clock
  log: Pick<Log, 'warn'>
  windowMillis: number
}

/**
 * Notes when and from where keys are used, off the path of requests: in batches, and seldom. How long a key was unused
 * stays known after the next use, because otherwise one request would make a forgotten device as good as one in use.
 */
export function createKeyUse({ pool, clock, log, windowMillis }: Needs) {
  let uses = new Map<string, Use>()
  const tellsAgainAfter = Math.min(noteEveryMillis, windowMillis / 2)

  function note(row: CallerRow, raw: RawContext) {
    const now = clock.now()
    const address = clientAddress(raw)
    const use = uses.get(row.keyId)
    if (use) {
      use.wasConcurrent ||= use.address !== address
      use.lastAt = now
      use.address = address
    } else if (isWorthNoting(row, address, now)) {
      uses.set(row.keyId, { firstAt: now, lastAt: now, address, wasConcurrent: false })
    }
  }

  function isWorthNoting(row: CallerRow, address: string | null, now: Date) {
    const since = (moment: Date | null) => now.getTime() - (moment?.getTime() ?? 0)
    if (since(row.lastUsedAt) >= tellsAgainAfter) return true
    return row.lastAddress !== address && since(row.concurrentUseAt) >= tellsAgainAfter
  }

  /**
   * Writes the noted uses. If the write fails they are dropped, because they are only shown to
   * users.
   */
  async function flush() {
    if (uses.size === 0) return
    const batch = [...uses]
    uses = new Map()
    const column = <Value>(pick: (use: Use) => Value) => batch.map(([, use]) => pick(use))
    try {
      await pool.query({
        name: 'svc_auth_key_use',
        text: writeUses,
        values: [
          batch.map(([keyId]) => keyId),
          column((use) => use.firstAt),
          column((use) => use.lastAt),
          column((use) => use.address),
          column((use) => use.wasConcurrent),
          windowMillis,
        ],
      })
    } catch (error) {
      log.warn({ err: error }, 'the last use of keys was not written')
    }
  }

  const timer = setInterval(() => void flush(), batchMillis)
  timer.unref()
  return {
    note,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

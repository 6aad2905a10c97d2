import { type Db, defineJob, type JobContext } from '@svc/core'
import { heldOn } from '../auth.ts'
import type { HeldBy } from '../capability/capability.ts'
import { inTransaction } from '../in-transaction.ts'
import { retain } from './chain/retention.ts'
import { rulesAt } from './chain/retention-rules.ts'
import { sealRows } from './chain/seal-rows.ts'
import { type KnownHead, signHead } from './chain/sign-head.ts'
import { trailKey } from './chain/statements.ts'
import { auditContract } from './contract.ts'
import type { AuditEnv } from './env.ts'

/** What the capability opens. */
export interface WithKnownHead {
  readonly known: KnownHead
}

// A transaction of some tens of milliseconds: a purge of one of these rows waits for it.
const most = 500

/** Chains what was written since, and signs how far the chain goes. */
export const auditSeal = defineJob('auth.audit-seal')
  .cron('* * * * *')
  .handler((_input, given) => sealTrail(given))

type Given = Pick<JobContext, 'db' | 'clock' | 'log' | 'signal'>

export async function sealTrail({ db, clock, log, signal }: Given) {
  const { key, known, env } = trailOn(db)
  let sealed: number | null = most
  while (!signal.aborted && sealed === most) {
    sealed = await inTransaction(db, (tx) => sealRows(tx, { now: clock.now(), most }))
  }
  // Before it has caught up, a head would be younger than rows that are still to come.
  if (sealed === null || sealed === most) return
  const path = env.SVC_AUTH_AUDIT_HEADS_PATH
  await signHead({ db, log, key, known, now: clock.now(), path })
}

/** Deletes what is older than `SVC_AUTH_AUDIT_RETENTION` and `SVC_AUTH_AUDIT_RETENTION_DAYS` say. */
export const auditRetention = defineJob('auth.audit-retention')
  .cron('41 3 * * *')
  .handler((_input, given) => retainTrail(given))

export async function retainTrail({ db, clock, log, signal }: Given) {
  const { key, known, env } = trailOn(db)
  const { SVC_AUTH_AUDIT_RETENTION_DAYS: days, SVC_AUTH_AUDIT_RETENTION: ofActs } = env
  const now = clock.now()
  const rules = rulesAt(now, { days, ofActs })
  await retain({ db, log, key, known, rules, now, signal })
}

type AuditHeld = HeldBy<typeof auditContract, { env: AuditEnv; own: WithKnownHead }>

function trailOn(db: Db) {
  const { env, known } = heldOn(db, auditContract) as AuditHeld
  return { env, known, key: trailKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET) }
}

import { createHash } from 'node:crypto'
import { addressSubject, type Db } from '@svc/core'
import { isNotNull, sql } from 'drizzle-orm'
import type { AuditEntry, RequestOrigin } from '../caller/caller.ts'
import { auditEvents } from './schema.ts'

/**
 * Writes a line of the audit trail, in the transaction of the act itself: there is no act without its line. Repeated
 * refusals of unsigned requests within an hour share one line with a count.
 */
export async function recordAudit(db: Db, entry: AuditEntry) {
  const row = rowOf(entry)
  const { at, repeatKey } = row
  const { times, lastAt } = auditEvents
  const writing = db.insert(auditEvents).values(row)
  const again = {
    target: auditEvents.repeatKey,
    targetWhere: isNotNull(auditEvents.repeatKey),
    // An attacker's number, after which there is none, must not keep a refusal from being one.
    set: { times: sql`least(${times}, 2147483646) + 1`, lastAt: sql`greatest(${lastAt}, ${at})` },
  }
  await (repeatKey === null ? writing : writing.onConflictDoUpdate(again))
}

function rowOf({ act, outcome = 'done', actor, target, details, origin, at }: AuditEntry) {
  const operator = origin?.actor
  const row = {
    at,
    act,
    outcome,
    actor: operator ?? actor ?? null,
    target: target ?? null,
    details: inWhoseName({ details, origin, owner: operator && actor }),
    keyId: origin?.keyId ?? null,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
    proof: origin?.proof ?? null,
  }
  return { ...row, repeatKey: repeatKeyOf(row) }
}

interface InWhoseName {
  details: AuditEntry['details'] | undefined
  origin: RequestOrigin | undefined
  /** Of the account, where an operator acts. */
  owner: string | null | undefined
}

/** What an agent does is its owner's act, and not theirs alone. What an operator does as an owner is the operator's. */
function inWhoseName({ details: own, origin, owner }: InWhoseName) {
  const details = origin?.tenant ? { ...own, ...origin.tenant } : own
  if (origin?.agent) return { ...details, agent: origin.agent }
  return owner ? { ...details, onBehalfOf: owner } : (details ?? null)
}

type Row = Omit<
  typeof auditEvents.$inferSelect,
  'auditId' | 'times' | 'lastAt' | 'repeatKey' | 'position' | 'salt'
>

const hourMillis = 3_600_000

/** Null for an act that was done or that a device has signed: each of these has a line of its own, with its proof. */
function repeatKeyOf({ at, proof, requestId: _, ...row }: Row) {
  if (row.outcome !== 'refused' || proof !== null) return null
  const hour = Math.floor(at.getTime() / hourMillis)
  // An attacker with one IPv6 address has the whole /64.
  const address = row.address && addressSubject(row.address)
  const same = JSON.stringify({ ...row, address, hour })
  return createHash('sha256').update(same).digest('base64url')
}

import type { HandlerContext, Tx } from '@svc/core'
import type { AppAct } from '../app-acts.ts'
import { runningAuth } from '../auth.ts'
import { type AuditEntry, getOptionalAuth, requestOrigin } from '../caller/caller.ts'
import { recordAudit } from './record-audit.ts'

/** An act of your application, for `recordAct`, which adds the time. */
export interface AppEntry extends Omit<AuditEntry, 'act' | 'at'> {
  /** A word that a capability of the application declares in `audit`. */
  act: AppAct
  /** The request that did it: who signed it is the actor, and where it came from is kept. */
  c?: Pick<HandlerContext, 'raw'>
}

// The trail holds details of this size, also where PostgreSQL writes their numbers in full.
const longestDetails = 16_000

/** Writes an act of the application into the audit trail, in the transaction of the act: one is not without the other. */
export async function recordAct(tx: Tx, { c, ...entry }: AppEntry) {
  const { appActs, clock } = runningAuth()
  const word: string = entry.act
  if (!appActs.has(word)) {
    throw new Error(
      `No capability of this application declares the act "${word}": name it in defineCapability(contract, { audit: [...] }).`,
    )
  }
  if (JSON.stringify(entry.details ?? {}).length > longestDetails) {
    throw new Error(
      `The details of the act "${word}" have more than 16,000 characters of JSON: keep ids and names, and store the rest elsewhere.`,
    )
  }
  const request = c && {
    actor: getOptionalAuth(c.raw)?.userId ?? null,
    origin: requestOrigin(c.raw),
  }
  // Its own words are none of the acts that sign-in writes, which the start has checked.
  const act = entry.act as AuditEntry['act']
  await recordAudit(tx, { ...request, ...entry, act, at: clock.now() })
}

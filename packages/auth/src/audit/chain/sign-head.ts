import { appendFile } from 'node:fs/promises'
import type { Db, Log } from '@svc/core'
import { eq } from 'drizzle-orm'
import { inTransaction } from '../../in-transaction.ts'
import { auditSeals } from '../schema.ts'
import { endOfChain } from './seal-rows.ts'
import {
  beginOf,
  byPlace,
  type Head,
  jwkOf,
  keepStatement,
  lastStatement,
  readStatement,
  signStatement,
  type TrailKey,
} from './statements.ts'
import { comparableIso, sealColumns } from './written-rows.ts'

const betweenHeadsMillis = 300_000
/** Where nothing was sealed since, so that a row of a quiet time that is put in later is told from those of then. */
const betweenQuietHeadsMillis = 3_600_000

/** What a process knows of the last head, whatever the table says. */
export interface KnownHead {
  head: Head | null
}

interface Needs {
  readonly db: Db
  readonly log: Log
  readonly key: TrailKey
  readonly known: KnownHead
  readonly now: Date
  /** Where heads go beside the log and the table. */
  readonly path: string | undefined
}

/** Signs how far the chain goes: where it has grown, some minutes after the last head, and else an hour after. */
export async function signHead({ db, log, key, known, now, path }: Needs) {
  const last = await lastSigned(db, key, known)
  if (last && !(await isStill(db, key, last))) {
    // With a head for what was changed, the change would look like the server's own.
    logChanged(log, last.position)
    return
  }
  const end = await inTransaction(db, endOfChain)
  if (end.position < (last?.position ?? 1)) return
  const between = end.position === last?.position ? betweenQuietHeadsMillis : betweenHeadsMillis
  if (last && now.getTime() - Date.parse(last.at) < between) return
  const { position, digest } = end
  const head: Head = {
    kind: 'head',
    at: now.toISOString(),
    rowAt: comparableIso(end.at),
    position,
    digest,
  }
  const signed = signStatement(head, key)
  // Before the table: a head that cannot be sent is signed once more with the next try.
  if (path) await appendFile(path, `${JSON.stringify({ signed, key: jwkOf(key.publicKey) })}\n`)
  await keepStatement(db, head, signed)
  known.head = head
  log.info({ position: head.position, signed }, 'audit trail: head')
}

export function logChanged(log: Log, position: number) {
  log.error({ position }, 'audit trail: the chain is not the one that was signed')
}

/** The last head, from the table or from what the process knows. */
export async function lastSigned(db: Db, key: TrailKey, known: KnownHead) {
  known.head = laterOf(await lastHead(db, key), known.head)
  return known.head
}

/** The last head that this key has signed. */
async function lastHead(db: Db, key: TrailKey) {
  const signed = await lastStatement(db, 'head')
  const head = signed && readStatement(signed, [key.publicKey])
  return typeof head === 'object' && head?.kind === 'head' ? head : null
}

function laterOf(one: Head | null, other: Head | null) {
  if (!one || !other) return one ?? other
  return byPlace(one, other) < 0 ? other : one
}

/** Retention may have let go of its seal, and then the key has signed that. */
export async function isStill(db: Db, key: TrailKey, { position, digest }: Head) {
  const [seal] = await db
    .select({ digest: sealColumns.digest })
    .from(auditSeals)
    .where(eq(auditSeals.position, position))
  if (seal) return seal.digest === digest
  const begin = await beginOf(db, key)
  return begin !== null && begin.position >= position
}

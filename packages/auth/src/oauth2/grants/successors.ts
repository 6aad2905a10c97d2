import { createSecretKey } from 'node:crypto'
import type { Clock, Db, Log } from '@svc/core'
import { and, inArray, isNotNull, lte, min } from 'drizzle-orm'
import { decrypt, deriveKey, encrypt } from '../../crypto/crypto.ts'
import type { TokenAnswer } from '../contract.ts'
import { oauth2Tokens } from './schema.ts'

/** The tokens that replaced a refresh token. */
interface Successor {
  /** The requested scopes. */
  asked: string[]
  answer: TokenAnswer
}

const keyId = 'refresh-token'

/**
 * The key is derived from the spent token, of which the table has only a hash, so a copy of the
 * database reveals nothing. An attacker who has the token could have spent it.
 */
function keyringOf(spentToken: string) {
  const key = createSecretKey(deriveKey(spentToken, 'refresh successors'))
  return { activeKeyId: keyId, keys: new Map([[keyId, key]]) }
}

export function sealSuccessor(spentToken: string, grantId: string, successor: Successor) {
  return encrypt(keyringOf(spentToken), JSON.stringify(successor), [grantId])
}

export function openSuccessor(spentToken: string, grantId: string, sealed: string): Successor {
  // The function above has written what can be decrypted with this key.
  return JSON.parse(decrypt(keyringOf(spentToken), sealed, [grantId]).plaintext) as Successor
}

const { tokenHash, spentAt, successor } = oauth2Tokens

// As many as one statement handles easily.
const most = 1000

/** Deletes the responses to refreshes before that time, of every grant. */
async function forgetSuccessors(db: Db, before: Date) {
  let cleared = most
  while (cleared === most) {
    const over = db
      .select({ tokenHash })
      .from(oauth2Tokens)
      .where(and(isNotNull(successor), lte(spentAt, before)))
      .orderBy(spentAt)
      .limit(most)
      // A locked one is being deleted by another server, or by the next refresh of its grant.
      .for('update', { skipLocked: true })
    const { rowCount } = await db
      .update(oauth2Tokens)
      .set({ successor: null })
      .where(and(inArray(tokenHash, over), isNotNull(successor)))
    cleared = rowCount ?? 0
  }
}

async function earliestKept(db: Db) {
  const [kept] = await db
    .select({ at: min(spentAt) })
    .from(oauth2Tokens)
    .where(isNotNull(successor))
  return kept?.at ?? null
}

/** Makes sure that the response to a refresh is stored for its window and no longer. */
interface KeptSuccessors {
  /** Called after the transaction that stored one. */
  kept(): void
  /** Deletes expired ones, of all servers, and runs again when the next one expires. */
  clear(): Promise<void>
  close(): Promise<void>
}

// With many refreshes a second, each would expire at a different time.
const pauseMillis = 500

interface Needs {
  db: Db
  clock: Clock
  log: Log
  windowMillis: number
}

/** One timer for all that are stored: it fires when the earliest one expires. */
export function keptSuccessors({ db, clock, log, windowMillis }: Needs): KeptSuccessors {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let isClosed = false

  async function clear() {
    try {
      const now = clock.now().getTime()
      await forgetSuccessors(db, new Date(now - windowMillis))
      const earliest = await earliestKept(db)
      if (earliest) comeBackIn(earliest.getTime() + windowMillis - now)
    } catch (error) {
      log.warn({ err: error }, 'answers to refreshes were not deleted, and are tried again')
      comeBackIn(pauseMillis)
    }
  }

  function comeBackIn(millis: number) {
    clearTimeout(timer)
    if (isClosed) return
    // A clock that is ahead elsewhere must not delay what this server stores.
    const inMillis = Math.max(Math.min(millis, windowMillis), pauseMillis)
    timer = setTimeout(goOff, inMillis).unref()
  }

  function goOff() {
    timer = undefined
    running = clear()
  }

  return {
    kept() {
      // At once instead of after the window: a server that was shut down may have left one.
      if (!timer && windowMillis > 0) comeBackIn(pauseMillis)
    },
    clear,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { HandlerContext } from '@svc/core'
import { heldOf } from '../auth.ts'
import { getUserId } from '../caller/caller.ts'
import { approvalContract } from './contract.ts'
import type { ApprovalHeld } from './decide.ts'
import { isPending } from './store.ts'

interface Waiting {
  readonly approvalId: string
  /** How long it waits at most. */
  readonly millis: number
  /** Ends it before that. */
  readonly signal?: AbortSignal | undefined
}

const pauseMillis = 500

/** Waits until the owner has decided on a call of this account. False if they have not, in that time. */
export async function whenDecided(
  c: HandlerContext,
  { approvalId, millis, signal }: Waiting,
): Promise<boolean> {
  const { db } = heldOf(c.raw.server, approvalContract) as ApprovalHeld
  const userId = getUserId(c)
  const until = performance.now() + millis
  while (await isPending(db, { approvalId, userId })) {
    if (performance.now() >= until || signal?.aborted) return false
    await wait(pauseMillis, undefined, { signal }).catch(() => undefined)
  }
  return true
}

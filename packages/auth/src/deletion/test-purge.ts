import { afterAll, expect } from 'vitest'
import { deletionCompletedEvent } from '../events.ts'
import { startTestAuth } from '../testing.ts'
import { deletionOf } from './testing/deletion.ts'

export const told: string[] = []

/** A server that purges deleted accounts, for the tests of one file. */
export async function usePurge() {
  const auth = await startTestAuth()
  const { db } = auth.auth
  afterAll(() => auth.stop())
  const { request, cancel, accountOf, statusOf, set, actsOf } = deletionOf(auth)
  deletionCompletedEvent.subscribe(({ userId }) => void told.push(userId))

  const untilPurged = (userId: string) =>
    expect.poll(() => statusOf(userId), { timeout: 10_000 }).not.toBe('pending_deletion')
  return { auth, db, request, cancel, accountOf, statusOf, set, actsOf, untilPurged }
}

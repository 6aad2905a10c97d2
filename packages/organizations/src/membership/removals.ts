import type { Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import { removedMembers } from '../schema.ts'

interface Removed {
  readonly organizationId: string
  readonly userId: string
}

// A member whom another one has removed does not come back by a domain.

export async function noteRemoval(tx: Tx, removed: Removed, removedAt: Date) {
  await tx
    .insert(removedMembers)
    .values({ ...removed, removedAt })
    .onConflictDoNothing()
}

/** They were invited, and are a member again. */
export async function forgetRemoval(tx: Tx, { organizationId, userId }: Removed) {
  await tx
    .delete(removedMembers)
    .where(
      and(eq(removedMembers.organizationId, organizationId), eq(removedMembers.userId, userId)),
    )
}

/** For an account that is purged. */
export async function forgetRemovalsOf(tx: Tx, userId: string) {
  await tx.delete(removedMembers).where(eq(removedMembers.userId, userId))
}

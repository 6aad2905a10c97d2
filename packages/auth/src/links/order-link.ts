import type { Needs } from '../auth.ts'
import { requestLink } from './request-link.ts'
import type { LinkPurpose } from './schema.ts'

interface Order {
  purpose: LinkPurpose
  /** The address that it is for, and is mailed to. */
  subject: string
  returnPath: string | null
  locale?: string
  ttlMinutes: number
}

/**
 * Writes down that a link is wanted, and no more: whether there is an account is first asked by whoever mails it, so
 * neither the answer nor its time can tell.
 */
export async function orderLink(
  { db, clock, linkMail }: Needs<'db' | 'clock' | 'linkMail'>,
  { ttlMinutes, ...wanted }: Order,
) {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
  await db.transaction(async (tx) => {
    const id = await requestLink(tx, { ...wanted, expiresAt, now })
    await linkMail.order(tx, { kind: wanted.purpose, id })
  })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}

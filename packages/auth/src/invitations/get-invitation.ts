import type { Needs } from '../auth.ts'
import { hashToken } from '../crypto/token.ts'
import { InvitationNotFoundError } from './errors.ts'
import { findOffer } from './find-offer.ts'

/** What the page behind the link shows. It changes nothing: scanners of mail open links too. */
export async function getInvitation({ db, clock }: Needs<'db' | 'clock'>, token: string) {
  const offer = await findOffer(db, { hash: hashToken(token), now: clock.now() })
  if (!offer) throw new InvitationNotFoundError()
  const { email, expiresAt } = offer.invitation
  const { name, displayName } = offer.role
  return { email, role: name, roleDisplayName: displayName, expiresAt: expiresAt.toISOString() }
}

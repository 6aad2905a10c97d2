import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { isOfGeneration } from '../accounts/is-of-generation.ts'
import type { TokenHash } from '../crypto/token.ts'
import { type LinkPurpose, mailedLinks } from './schema.ts'

/** What somebody came with: the token of a link, or the secret of the session that it became. */
export interface Presented {
  purpose: LinkPurpose
  hash: TokenHash
  now: Date
}

/** A link that was mailed, and is good. */
export const isIssued = ({ purpose, hash, now }: Presented) =>
  and(
    eq(mailedLinks.purpose, purpose),
    eq(mailedLinks.tokenHash, hash),
    eq(mailedLinks.state, 'issued'),
    gt(mailedLinks.expiresAt, now),
    isOfItsGeneration,
  )

/** A setup session that is good. */
export const isOpened = ({ purpose, hash, now }: Presented) =>
  and(
    eq(mailedLinks.purpose, purpose),
    eq(mailedLinks.setupHash, hash),
    eq(mailedLinks.state, 'opened'),
    gt(mailedLinks.expiresAt, now),
    isOfItsGeneration,
  )

/** Where there is an account, no account-wide revocation came after the link was issued. */
export const isOfItsGeneration = or(
  isNull(mailedLinks.userId),
  isOfGeneration(mailedLinks.userId, mailedLinks.generation),
)

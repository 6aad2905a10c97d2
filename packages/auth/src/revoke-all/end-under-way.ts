import type { Db } from '@svc/core'
import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { verificationCodes } from '../codes/schema.ts'
import { deviceRequests } from '../device/schema.ts'
import { invitations } from '../invitations/schema.ts'
import { mailedLinks } from '../links/schema.ts'
import { signInChallenges } from '../mfa/schema.ts'
import { oauthPending } from '../oauth/schema.ts'
import { oneTimeTokens } from '../one-time-token/schema.ts'
import { passkeyChallenges } from '../passkeys/schema.ts'

/** What was ended, by how many there were. */
export interface UnderWay {
  /** Mailed links, and the setup sessions that were opened with one. */
  links: number
  /** They stay, and their mail has to be sent again. */
  invitations: number
  codes: number
  /** Devices that show a code, approved ones too. */
  waitingDevices: number
  /** That wait for a second factor, a passkey or the way back from a provider. */
  signIns: number
}

/**
 * Ends all that leads to a sign-in and has led to none yet, of accounts and of those who have none: what was mailed, what
 * is shown on a screen, what is half done. A statement each, so that none waits for a row while it holds another.
 */
export async function endUnderWay(db: Db, now: Date): Promise<UnderWay> {
  const links = await db
    .update(mailedLinks)
    .set({ state: 'superseded', endedAt: now })
    .where(
      and(
        inArray(mailedLinks.state, ['requested', 'issued', 'opened']),
        gt(mailedLinks.expiresAt, now),
      ),
    )
  const invited = await db
    .update(invitations)
    .set({ tokenHash: null })
    .where(and(eq(invitations.state, 'pending'), isNotNull(invitations.tokenHash)))
  const codes = await db.delete(verificationCodes)
  const waiting = await db
    .update(deviceRequests)
    .set({ state: 'refused', decidedAt: now })
    .where(
      and(
        inArray(deviceRequests.state, ['pending', 'approved']),
        gt(deviceRequests.expiresAt, now),
      ),
    )
  const signIns = [signInChallenges, passkeyChallenges, oauthPending]
  let halfDone = 0
  for (const table of signIns) halfDone += count(await db.delete(table))
  // Half a minute old at most, and good for nothing without its key.
  await db.delete(oneTimeTokens)
  return {
    links: count(links),
    invitations: count(invited),
    codes: count(codes),
    waitingDevices: count(waiting),
    signIns: halfDone,
  }
}

const count = ({ rowCount }: { rowCount: number | null }) => rowCount ?? 0

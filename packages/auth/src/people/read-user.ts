import { readUserRow } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import type { Needs } from '../auth.ts'
import { findUndoableOf } from '../contact/contact.ts'
import { listKeys } from '../keys/keys.ts'
import { waitingLinksOf } from '../links/links.ts'
import { agentsOf } from '../oauth2/oauth2.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { listSocialAccounts } from '../social/social.ts'
import { userItem } from './find-users.ts'
import { fromTrail } from './from-trail.ts'
import { findWaitingOf } from './store.ts'
import type { UserDetails, WaitingItem } from './user-details.ts'

type ReadNeeds = Needs<'db' | 'clock' | 'parts'>

/** Null for an account that is unknown, or gone. */
export async function findUser(auth: ReadNeeds, userId: string): Promise<UserDetails | null> {
  const { db, clock, parts } = auth
  const row = await readUserRow(db, userId)
  if (!row) return null
  const { item, generation, firstName, lastName, purgeAt, ...details } = row
  const owner = { userId: item.userId, generation, now: clock.now() }
  // One after the other: a page must not take the connections that others wait for.
  const { keys, approvals = [] } = await listKeys(auth, owner)
  const isMachine = ({ kind }: { kind?: unknown }) => kind === 'machine'
  return {
    ...userItem(item),
    ...details,
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
    ...(purgeAt && { purgeAt: purgeAt.toISOString() }),
    ...(await fromTrail(db, item)),
    factors: item.secondFactorSince ? await parts.secondFactors(db, item.userId) : [],
    passkeys: (await listPasskeys(db, item.userId)).passkeys,
    linkedAccounts: (await listSocialAccounts(db, item.userId)).accounts,
    devices: keys.filter((key) => !isMachine(key)),
    machines: keys.filter(isMachine),
    grants: await agentsOf(db, owner),
    waiting: await waitingOf(auth, { ...owner, email: item.email, purgeAt, approvals }),
  }
}

interface WaitingFor {
  userId: string
  email: string | null
  purgeAt: Date | null
  approvals: readonly { expiresAtMillis?: number | undefined }[]
  now: Date
}

async function waitingOf({ db, parts }: ReadNeeds, waitingFor: WaitingFor) {
  const { userId, purgeAt, approvals, now } = waitingFor
  const links = await waitingLinksOf(db, { ...waitingFor, purposes: parts.linkPurposes() })
  const undos = await findUndoableOf(db, userId, now)
  const removal = await findWaitingOf(db, userId)
  const waiting = [
    ...links.map(({ purpose, ...times }) => waitingItem(purpose, times)),
    ...undos.map((times) => waitingItem('contact_undo', times)),
    ...(removal ? [waitingItem('factor_removal', { ...removal, expiresAt: removal.dueAt })] : []),
    ...approvals.map(({ expiresAtMillis = now.getTime() }) =>
      waitingItem('approval', { expiresAt: new Date(expiresAtMillis) }),
    ),
    ...(purgeAt ? [waitingItem('deletion', { expiresAt: purgeAt })] : []),
  ]
  return waiting.toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt))
}

interface Times {
  createdAt?: Date
  expiresAt: Date
}

function waitingItem(kind: string, { createdAt, expiresAt }: Times): WaitingItem {
  return {
    kind,
    ...(createdAt && { createdAt: createdAt.toISOString() }),
    expiresAt: expiresAt.toISOString(),
  }
}

export async function readUser(auth: ReadNeeds, userId: string) {
  const found = await findUser(auth, userId)
  if (!found) throw new UserNotFoundError()
  return found
}

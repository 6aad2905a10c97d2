import { ForbiddenError, type HandlerContext } from '@svc/core'
import type { UserQuery } from '../accounts/accounts.ts'
import { heldOf, runningAuth } from '../auth.ts'
import { getAuth, refuseSupport, requestOrigin } from '../caller/caller.ts'
import { asProvable } from '../fresh-proof/fresh-proof.ts'
import { byApplication, type PeopleHeld, runningPeople } from './act.ts'
import * as change from './change-account.ts'
import { peopleContract } from './contract.ts'
import { createUserOfApplication } from './create-user.ts'
import { askForRemoval } from './factor-removal.ts'
import { findUsers, type UserPage } from './find-users.ts'
import * as bulk from './invite-users.ts'
import * as details from './read-user.ts'
import * as mails from './resend-mail.ts'
import * as update from './update-user.ts'
import type { InvitedRow, NewUser, UserChanges, UserDetails, UserMail } from './user-details.ts'

export type { UserQuery } from '../accounts/accounts.ts'
export type { UserPage } from './find-users.ts'
export type { RowToInvite } from './invite-users.ts'
export type {
  InvitedRow,
  NewUser,
  UserChanges,
  UserDetails,
  UserItem,
  UserMail,
} from './user-details.ts'

// What operators do, from an application's own code: it is asked for no permission, has no rank, and is not counted.

/** The accounts that match all of this. */
export async function listUsers(query: UserQuery = {}): Promise<UserPage> {
  return findUsers(runningAuth(), query)
}

/** An account with its factors, devices and what waits; null for one that is unknown, or gone. */
export async function findUser(userId: string): Promise<UserDetails | null> {
  return details.findUser(runningAuth(), userId)
}

interface Because {
  /** Kept in the audit trail. */
  reason?: string
}

/** Ends every device and program of an account, and answers how many there were. */
export async function signUserOut(userId: string, because: Because = {}): Promise<number> {
  const { revokedCount } = await byApplication(
    { userId, ...because },
    (auth) => (tx, account, by) => change.signOut(tx, auth, { account, by }),
  )
  return revokedCount
}

/** Makes an account's owner choose another password. */
export async function requireNewPassword(userId: string, because: Because = {}): Promise<void> {
  await byApplication(
    { userId, ...because },
    () => (tx, account, by) => change.demandPassword(tx, { account, by }),
  )
}

/** Changes what is named; null clears it. An address or number counts as proved, and needs a reason. */
export async function updateUser(userId: string, changes: UserChanges): Promise<void> {
  await byApplication(
    { userId, reason: changes.reason },
    (auth) => (tx, account, by) => update.updateUser(tx, auth, { account, changes, by }),
  )
}

/** Closes an account, and answers when it will be deleted. Never that of the last superadmin. */
export async function closeUser(
  userId: string,
  because: Because = {},
): Promise<{ purgeScheduledAt: string }> {
  return byApplication(
    { userId, ...because },
    (auth) => (tx, account, by) => change.close(tx, auth, { account, by }),
  )
}

/** Restores an account whose deletion is pending. */
export async function restoreUser(userId: string, because: Because = {}): Promise<void> {
  await byApplication(
    { userId, ...because },
    (auth) => (tx, account, by) => change.restore(tx, auth, { account, by }),
  )
}

interface FactorToRemove extends Because {
  /** One passkey; the whole second factor unless set. */
  passkeyId?: string
}

/** Removes a factor after a time in which its owner, who is mailed, can keep it. `removeSecondFactor` does it at once. */
export async function removeUserFactor(
  userId: string,
  { passkeyId, ...because }: FactorToRemove = {},
): Promise<{ removesAt: string }> {
  return byApplication(
    { userId, ...because },
    (auth) => (tx, account, by) => askForRemoval(tx, auth, { account, passkeyId, by }),
  )
}

/** Sends a mail with a link again. The earlier link stops working. */
export async function resendUserMail(
  userId: string,
  { mail, ...because }: Because & { mail: UserMail },
): Promise<void> {
  await byApplication(
    { userId, ...because },
    (auth) => (tx, account, by) => mails.resendMail(tx, auth, { account, mail, by }),
  )
}

/** Opens an account with any role. Without a password, its owner is mailed a link to set one. */
export async function createUser(user: NewUser): Promise<{ userId: string; publicId: string }> {
  return createUserOfApplication(runningPeople(), user)
}

interface InvitationReport {
  invitedCount: number
  report: InvitedRow[]
}

/** What the operation `inviteUsers` does, for a route of the application: it invites as the user of the request. */
export async function inviteUsers(
  c: Pick<HandlerContext, 'raw'>,
  body: { csv?: string; rows?: readonly bulk.RowToInvite[] },
): Promise<InvitationReport> {
  const auth = heldOf(c.raw.server, peopleContract) as PeopleHeld
  const caller = getAuth(c.raw)
  refuseSupport(caller)
  // A program may do less than its owner, and no guard has asked so far.
  if (!caller.permissions.includes('user:invite')) throw new ForbiddenError()
  const request = { caller: asProvable(caller), body, origin: requestOrigin(c.raw) }
  return bulk.inviteUsers(auth, request)
}

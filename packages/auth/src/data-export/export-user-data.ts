import { UserNotFoundError } from '../accounts/errors.ts'
import { exportAccount, exportProfile } from '../accounts/export-account.ts'
import { exportActs } from '../audit/export-acts.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Auth, type Needs, runningAuth } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { exportContactChanges } from '../contact/export-contact-changes.ts'
import { exportInvitations } from '../invitations/export-invitations.ts'
import { exportKeys } from '../keys/export-keys.ts'
import { exportSecondFactor } from '../mfa/export-second-factor.ts'
import { exportGrants } from '../oauth2/export-grants.ts'
import { exportPasskeys } from '../passkeys/export-passkeys.ts'
import { isUuid } from '../pg-schema.ts'
import { exportSocialAccounts } from '../social/accounts/export-social-accounts.ts'

export type UserData = Awaited<ReturnType<typeof collect>>

/** All that is kept of a user, but for secrets, what was derived from one, and public keys. */
export async function exportUserData(userId: string): Promise<UserData> {
  return collect(runningAuth(), userId)
}

type ExportNeeds = Needs<'db' | 'clock' | 'limits' | 'applicationData'>

/** The same for whoever asks for their own. */
export async function exportOwnData(
  auth: ExportNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId } = caller
  await auth.limits.take('data export by account', userId)
  const data = await collect(auth, userId)
  await recordAudit(auth.db, { act: 'data.exported', actor: userId, origin, at: auth.clock.now() })
  return data
}

async function collect(
  { db, clock, applicationData }: Pick<Auth, 'db' | 'clock' | 'applicationData'>,
  userId: string,
) {
  const account = isUuid(userId) ? await exportAccount(db, userId) : null
  if (!account) throw new UserNotFoundError()
  // One after the other: an export must not take the connections that others wait for.
  const profile = await exportProfile(db, userId)
  const devices = await exportKeys(db, userId)
  const passkeys = await exportPasskeys(db, userId)
  const socialAccounts = await exportSocialAccounts(db, userId)
  const grants = await exportGrants(db, userId)
  const secondFactor = await exportSecondFactor(db, account)
  const contactChanges = await exportContactChanges(db, userId)
  const sent = await exportInvitations(db, userId, 'invitedBy')
  const accepted = await exportInvitations(db, userId, 'acceptedBy')
  const auditEvents = await exportActs(db, userId)
  const application = await applicationData?.(userId)
  return {
    exportedAt: clock.now(),
    account,
    profile,
    devices,
    passkeys,
    socialAccounts,
    grants,
    secondFactor,
    contactChanges,
    invitations: { sent, accepted },
    auditEvents,
    ...(application && { application }),
  }
}

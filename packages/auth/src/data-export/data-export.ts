import type { Db } from '@svc/core'
import { exportAccount, exportProfile } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import { heldOn, type Needs, runningHeld } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { isUuid } from '../pg-schema.ts'
import { dataExportContract } from './contract.ts'

/** What an application stores for a user, as JSON. */
export type ApplicationData = (userId: string) => Promise<Record<string, unknown>>

/** What is stored for a user: every capability adds its part. */
export interface UserData {
  readonly exportedAt: Date
  readonly account: NonNullable<Awaited<ReturnType<typeof exportAccount>>>
  readonly profile: Awaited<ReturnType<typeof exportProfile>>
  readonly [part: string]: unknown
}

interface Opened {
  /** What the application stores for the user. */
  readonly applicationData: ApplicationData | null
}

type ExportHeld = HeldBy<typeof dataExportContract, { own: Opened; acts: 'data.exported' }>

/** All that is stored for a user, except secrets, values derived from one, and public keys. */
export async function exportUserData(userId: string): Promise<UserData> {
  return collect(runningHeld(dataExportContract) as ExportHeld, userId)
}

/** The same for an operator's request. */
export function exportDataOf(db: Db, userId: string) {
  return collect(heldOn(db, dataExportContract) as ExportHeld, userId)
}

type OwnNeeds = Pick<ExportHeld, 'db' | 'clock' | 'limits' | 'parts' | 'audit' | keyof Opened>

/** The same for a user who asks for their own data. */
export async function exportOwnData(
  auth: OwnNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId } = caller
  await auth.limits.take('data export by account', userId)
  const data = await collect(auth, userId)
  await auth.audit(auth.db, 'data.exported', { actor: userId, origin, at: auth.clock.now() })
  return data
}

async function collect(
  { db, clock, parts, applicationData }: Needs<'db' | 'clock' | 'parts'> & Opened,
  userId: string,
): Promise<UserData> {
  const account = isUuid(userId) ? await exportAccount(db, userId) : null
  if (!account) throw new UserNotFoundError()
  // One after the other: an export must not take the connections that other requests wait for.
  const profile = await exportProfile(db, userId)
  const ofCapabilities = await parts.export(db, account)
  const application = await applicationData?.(userId)
  return {
    exportedAt: clock.now(),
    account,
    profile,
    ...ofCapabilities,
    ...(application && { application }),
  }
}

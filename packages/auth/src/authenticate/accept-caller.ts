import type { RawContext } from '@svc/core'
import { refuseInactive } from '../accounts/lock-account.ts'
import { callerFrom } from '../caller/caller-from.ts'
import type { AccountRow, CallerRow } from '../caller/caller-row.ts'
import { setCaller } from '../caller/context.ts'
import { refusePasswordChangeRequired } from './refuse-password-change-required.ts'

/** Whatever proved who is asking: the account must be one that may act, and is the caller from here on. */
export function acceptCaller(raw: RawContext, row: AccountRow & Partial<CallerRow>) {
  refuseInactive(row)
  refusePasswordChangeRequired(raw, row)
  setCaller(raw, callerFrom(row))
}

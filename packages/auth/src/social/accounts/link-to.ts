import type { Tx } from '@svc/core'
import { AccountDisabledError } from '../../accounts/errors.ts'
import { type LockedAccount, lockAccount, refuseInactive } from '../../accounts/lock-account.ts'
import { type Signer, stillSigns } from '../../keys/lock-caller.ts'
import type { ArrivalNeeds } from './account-of.ts'
import type { Arrival } from './arrival.ts'
import { SocialAccountAlreadyLinkedError } from './errors.ts'
import { link } from './link.ts'
import { findByIdentity, noteUse } from './store.ts'

/** Whoever has asked for another way in: the key, and what it had stepped up to. */
export interface LinkAsker extends Signer {
  readonly secondFactorSinceMillis: number | null
}

/** Adds a way in to the account of whoever has asked for it, where they could still ask for it. */
export async function linkTo(auth: ArrivalNeeds, asker: LinkAsker, arrival: Arrival) {
  const { userId } = asker
  const elsewhere = { provider: arrival.provider, providerUserId: arrival.identity.providerUserId }
  await auth.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account || !(await mayStillAsk(tx, account, asker))) throw new AccountDisabledError()
    refuseInactive(account)
    const linked = await findByIdentity(tx, elsewhere)
    if (linked?.userId === userId) return noteUse(tx, elsewhere, arrival)
    const isLinked = await link(tx, auth, { account, arrival, isNewUser: false })
    if (!isLinked) throw new SocialAccountAlreadyLinkedError()
  })
}

/** Not who was signed out since, there or everywhere; nor with a second factor that came since. */
async function mayStillAsk(tx: Tx, account: LockedAccount, asker: LinkAsker) {
  const { generation, secondFactorSince } = account
  const sinceMillis = secondFactorSince?.getTime() ?? null
  if (generation !== asker.generation || sinceMillis !== asker.secondFactorSinceMillis) return false
  return stillSigns(tx, account, asker)
}

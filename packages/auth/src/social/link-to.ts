import { AccountDisabledError } from '../accounts/errors.ts'
import { lockAccount, refuseInactive } from '../accounts/lock-account.ts'
import { type Signer, stillSigns } from '../keys/lock-caller.ts'
import type { ArrivalNeeds } from './account-of.ts'
import type { Arrival } from './arrival.ts'
import { SocialAccountAlreadyLinkedError } from './errors.ts'
import { link } from './link.ts'
import { findByIdentity, noteUse } from './store.ts'

/** Adds a way in to the account of whoever has asked for it while they were signed in. */
export async function linkTo(auth: ArrivalNeeds, signer: Signer, arrival: Arrival) {
  const { userId, generation } = signer
  const elsewhere = { provider: arrival.provider, providerUserId: arrival.identity.providerUserId }
  await auth.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    // Whoever was signed out since, there or everywhere, adds nothing to the account any more.
    if (account?.generation !== generation || !(await stillSigns(tx, account, signer))) {
      throw new AccountDisabledError()
    }
    refuseInactive(account)
    const linked = await findByIdentity(tx, elsewhere)
    if (linked?.userId === userId) return noteUse(tx, elsewhere, arrival)
    const isLinked = await link(tx, auth, { account, arrival, isNewUser: false })
    if (!isLinked) throw new SocialAccountAlreadyLinkedError()
  })
}

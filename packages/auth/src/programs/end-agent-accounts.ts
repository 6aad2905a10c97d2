import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import { inTransaction } from '../in-transaction.ts'
import { countMachines } from '../keys/keys.ts'
import { endServiceAccount, lockServiceAccount } from '../machine-keys/machine-keys.ts'
import { accountsOfOverGrants, forgetGrantsOf } from '../oauth2/oauth2.ts'

/**
 * Deletes the accounts of tenants that were made for an agent whose grant is over. One that has got a key of a machine
 * stays.
 */
export async function endAgentAccounts(db: Db, now: Date, auth: Needs<'parts'>) {
  for (const userId of await accountsOfOverGrants(db, { now })) {
    await inTransaction(db, async (tx) => {
      const account = await lockServiceAccount(tx, userId)
      // Its code may have been redeemed while this waited.
      if ((await accountsOfOverGrants(tx, { now, userId })).length === 0) return
      const hasMachines = (await countMachines(tx, { userId, now })) > 0
      if (account && !hasMachines) await endServiceAccount(tx, auth, { account, now })
      else await forgetGrantsOf(tx, userId)
    })
  }
}

import { defineCapability } from '../capability/capability.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockBelow } from '../roles/roles.ts'
import { reactivate, suspend } from '../suspension/suspension.ts'
import { peopleContract } from './contract.ts'
import { findUsers } from './find-users.ts'
import { readUser } from './read-user.ts'

export const peopleCapability = defineCapability(peopleContract, {
  handlers: {
    listUsers: async ({ auth, caller, query }) => {
      await auth.limits.take('user list by account', caller.userId)
      return findUsers(auth, query)
    },
    readUser: async ({ auth, caller, params }) => {
      await auth.limits.take('user list by account', caller.userId)
      return readUser(auth, params.userId)
    },
    suspendUser: async ({ auth, caller, params, body, origin, c }) => {
      await auth.limits.take('user change by account', caller.userId)
      const by = { actor: caller.userId, origin, ...body, now: auth.clock.now() }
      await inTransaction(auth.db, async (tx) =>
        suspend(tx, auth, await lockBelow(tx, caller, params.userId), by),
      )
      return c.noContent()
    },
    reactivateUser: async ({ auth, caller, params, body, origin, c }) => {
      await auth.limits.take('user change by account', caller.userId)
      const by = { actor: caller.userId, origin, ...body, now: auth.clock.now() }
      await inTransaction(auth.db, async (tx) =>
        reactivate(tx, await lockBelow(tx, caller, params.userId), by),
      )
      return c.noContent()
    },
  },
})

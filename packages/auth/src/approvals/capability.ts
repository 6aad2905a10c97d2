import { defineCapability } from '../capability/capability.ts'
import { approvalActs } from './acts.ts'
import { approvalContract } from './contract.ts'
import { approveCall, listApprovals, refuseCall } from './decide.ts'
import { approvals } from './schema.ts'
import { forgetOf, forgetOld } from './store.ts'

/** What programs and terminals may do only once the owner of the account has approved the very call. */
export const approvalCapability = defineCapability(approvalContract, {
  tables: { approvals },
  audit: approvalActs,
  handlers: {
    listApprovals: ({ auth, caller }) => listApprovals(auth, caller),
    approveCall: async ({ auth, caller, params, origin, c }) => {
      await approveCall(auth, { caller, ...params, origin })
      return c.noContent()
    },
    refuseCall: async ({ auth, caller, params, origin, c }) => {
      await refuseCall(auth, { caller, ...params, origin })
      return c.noContent()
    },
  },
  account: {
    forget: (tx, { userId }) => forgetOf(tx, userId),
    sweep: (db, now) => forgetOld(db, now),
  },
})

import { defineCapability } from '../capability/capability.ts'
import { oneTimeTokenContract } from './contract.ts'
import { issueOneTimeToken } from './one-time-token.ts'
import { oneTimeTokens } from './schema.ts'
import { forgetEveryToken, forgetTokens, forgetTokensOf } from './store.ts'

export const oneTimeTokenCapability = defineCapability(oneTimeTokenContract, {
  tables: { oneTimeTokens },
  handlers: {
    issueOneTimeToken: ({ auth, caller }) => issueOneTimeToken(auth, caller),
  },
  account: {
    sweep: forgetTokens,
    forget: (tx, { userId }) => forgetTokensOf(tx, userId),
    // At most half a minute old, and useless without its key.
    async endUnderWay(db) {
      await forgetEveryToken(db)
      return {}
    },
  },
})

import { implement } from '../../running/implement.ts'
import { socialContract } from './contract.ts'
import { linkSocialAccount } from './link-social-account.ts'
import { listSocialAccounts } from './list-social-accounts.ts'
import { unlinkSocialAccount } from './unlink-social-account.ts'

export const socialRoutes = implement(socialContract, {
  listSocialAccounts: ({ auth, caller }) => listSocialAccounts(auth.db, caller.userId),
  linkSocialAccount: async ({ auth, caller, body, origin, c }) => {
    const linking = { raw: c.raw, caller, ...body, origin }
    const { authUrl, headers } = await linkSocialAccount(auth, linking)
    return c.json({ authUrl }, 200, headers)
  },
  unlinkSocialAccount: ({ auth, caller, body, origin }) =>
    unlinkSocialAccount(auth, { caller, ...body, origin }),
})

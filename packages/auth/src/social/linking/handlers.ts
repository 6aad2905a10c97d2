import type { Handlers } from '../../capability/capability.ts'
import type { SocialHeld } from '../held.ts'
import { linkSocialAccount } from './link-social-account.ts'
import { listSocialAccounts } from './list-social-accounts.ts'
import type { linkOperations } from './operations.ts'
import { unlinkSocialAccount } from './unlink-social-account.ts'

export const linkHandlers: Handlers<typeof linkOperations, SocialHeld> = {
  listSocialAccounts: ({ auth, caller }) => listSocialAccounts(auth.db, caller.userId),
  linkSocialAccount: async ({ auth, caller, body, origin, c }) => {
    const linking = { raw: c.raw, caller, ...body, origin }
    const { authUrl, headers } = await linkSocialAccount(auth, linking)
    return c.json({ authUrl }, 200, headers)
  },
  unlinkSocialAccount: ({ auth, caller, body, origin }) =>
    unlinkSocialAccount(auth, { caller, ...body, origin }),
}

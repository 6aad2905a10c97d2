import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofServiceAccounts } from './contract.ts'
import {
  createAccount,
  createKey,
  deleteAccount,
  listAccounts,
  listKeys,
  revokeKey,
  updateAccount,
} from './service-accounts.ts'

export const serviceAccountHandlers: Handlers<typeof ofServiceAccounts, OrganizationHeld> = {
  async createServiceAccount({ auth, standing, caller, body, origin, c }) {
    const by = byCaller(caller, origin)
    return c.created(await createAccount(auth, body, { standing, by }))
  },
  async listServiceAccounts({ auth, standing }) {
    return { serviceAccounts: await listAccounts(auth, standing) }
  },
  updateServiceAccount({ auth, standing, caller, params, body, origin }) {
    const { userId } = params
    return updateAccount(auth, body, { standing, userId, by: byCaller(caller, origin) })
  },
  async deleteServiceAccount({ auth, standing, caller, params, origin, c }) {
    const { userId } = params
    await deleteAccount(auth, { standing, userId, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async createServiceKey({ auth, standing, caller, params, body, origin, c }) {
    const { userId } = params
    const asked = { standing, userId, by: byCaller(caller, origin) }
    return c.created(await createKey(auth, { caller, body }, asked))
  },
  async listServiceKeys({ auth, standing, params }) {
    return { keys: await listKeys(auth, standing, params) }
  },
  async revokeServiceKey({ auth, standing, caller, params, origin, c }) {
    const { userId, keyId } = params
    await revokeKey(auth, keyId, { standing, userId, by: byCaller(caller, origin) })
    return c.noContent()
  },
}

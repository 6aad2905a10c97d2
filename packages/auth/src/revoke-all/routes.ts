import { implement } from '../implement.ts'
import { revokeAllContract } from './contract.ts'
import { revokeAllKeys } from './revoke-all-keys.ts'

export const revokeAllRoutes = implement(revokeAllContract, {
  revokeAllKeys: ({ auth, caller, body, origin }) =>
    revokeAllKeys(auth, { caller, ...body, origin }),
})

import { implement } from '../running/implement.ts'
import { keyContract } from './contract.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'

export const keyRoutes = implement(keyContract, {
  listKeys: ({ auth, caller, body }) => listKeys(auth, caller, body),
  revokeKey: async ({ auth, caller, body, origin }) => {
    const { keyId } = body
    const { selfRevoked, ended, approvals } = await revokeKey(auth, {
      ...body,
      caller,
      reason: 'revoked',
      origin,
    })
    return {
      keyId,
      selfRevoked,
      ...(ended.length > 0 && { ended }),
      ...(approvals.length > 0 && { approvals }),
    }
  },
  rotateKey: ({ auth, caller, body, origin }) => rotateKey(auth, { caller, key: body, origin }),
})

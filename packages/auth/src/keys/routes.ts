import { implement } from '../implement.ts'
import { keyContract } from './contract.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'

export const keyRoutes = implement(keyContract, {
  listKeys: ({ auth, caller, body }) => listKeys(auth, { userId: caller.userId, ...body }),
  revokeKey: async ({ auth, caller, body, origin }) => {
    const { keyId } = body
    await revokeKey(auth, { caller, keyId, reason: 'revoked', origin })
    return { keyId, selfRevoked: keyId === caller.keyId }
  },
  rotateKey: ({ auth, caller, body, origin }) => rotateKey(auth, { caller, key: body, origin }),
})

import { defineCapability } from '../capability/capability.ts'
import { keyActs } from './acts.ts'
import { keyContract } from './contract.ts'
import { buryKeys } from './end-keys.ts'
import { revokeKey } from './keys.ts'
import { exportKeys, listKeys } from './list-keys.ts'
import { rotateKey } from './rotate-key.ts'
import { deviceKeys } from './schema.ts'

export const keyCapability = defineCapability(keyContract, {
  audit: keyActs,
  tables: { deviceKeys },
  handlers: {
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
  },
  account: {
    export: { devices: (db, { userId }) => exportKeys(db, userId) },
    forget: (tx, { userId }) => buryKeys(tx, userId),
  },
})

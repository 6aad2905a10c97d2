import { defineCapability } from '../capability/capability.ts'
import { deletionActs } from './acts.ts'
import { cancelAccountDeletion } from './cancel-account-deletion.ts'
import { deletionContract } from './contract.ts'
import { type DeletionOptions, deletionPurge, readDeletion } from './deletion.ts'
import { deletionVariables } from './env.ts'
import { requestAccountDeletion } from './request-account-deletion.ts'

export const deletionCapability = (options?: DeletionOptions) =>
  defineCapability(deletionContract, {
    audit: deletionActs,
    env: deletionVariables,
    jobs: { deletionPurge },
    check: () => void readDeletion(options),
    open: () => ({ deletion: readDeletion(options) }),
    handlers: {
      requestAccountDeletion: ({ auth, caller, body, origin }) =>
        requestAccountDeletion(auth, { caller, ...body, origin }),
      cancelAccountDeletion: async ({ auth, body, origin, c }) => {
        await cancelAccountDeletion(auth, body, origin)
        return c.noContent()
      },
    },
  })

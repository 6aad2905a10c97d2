import { implement } from '../running/implement.ts'
import { cancelAccountDeletion } from './cancel-account-deletion.ts'
import { deletionContract } from './contract.ts'
import { requestAccountDeletion } from './request-account-deletion.ts'

export const deletionRoutes = implement(deletionContract, {
  requestAccountDeletion: ({ auth, caller, body, origin }) =>
    requestAccountDeletion(auth, { caller, ...body, origin }),
  cancelAccountDeletion: async ({ auth, body, origin, c }) => {
    await cancelAccountDeletion(auth, body, origin)
    return c.noContent()
  },
})

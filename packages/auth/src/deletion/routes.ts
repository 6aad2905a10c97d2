import { implement } from '../implement.ts'
import { cancelAccountDeletion } from './cancel-account-deletion.ts'
import { deletionContract } from './contract.ts'
import { exportOwnData } from './export-user-data.ts'
import { requestAccountDeletion } from './request-account-deletion.ts'

export const deletionRoutes = implement(deletionContract, {
  requestAccountDeletion: ({ auth, caller, body, origin }) =>
    requestAccountDeletion(auth, { caller, ...body, origin }),
  cancelAccountDeletion: async ({ auth, body, origin, c }) => {
    await cancelAccountDeletion(auth, body, origin)
    return c.noContent()
  },
  exportUserData: async ({ auth, caller, origin, c }) => {
    const data: Record<string, unknown> = await exportOwnData(auth, { caller, origin })
    const headers = { 'content-disposition': 'attachment; filename="account-data.json"' }
    return c.json(data, 200, headers)
  },
})

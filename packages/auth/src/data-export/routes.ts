import { implement } from '../running/implement.ts'
import { dataExportContract } from './contract.ts'
import { exportOwnData } from './export-user-data.ts'

export const dataExportRoutes = implement(dataExportContract, {
  exportUserData: async ({ auth, caller, origin, c }) => {
    const data: Record<string, unknown> = await exportOwnData(auth, { caller, origin })
    const headers = { 'content-disposition': 'attachment; filename="account-data.json"' }
    return c.json(data, 200, headers)
  },
})

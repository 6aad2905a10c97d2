import { defineCapability } from '../capability/capability.ts'
import { dataExportActs } from './acts.ts'
import { dataExportContract } from './contract.ts'
import { type ApplicationData, exportOwnData } from './data-export.ts'

/** The export of an account's data. */
export const dataExportCapability = (applicationData: ApplicationData | null = null) =>
  defineCapability(dataExportContract, {
    audit: dataExportActs,
    open: () => ({ applicationData }),
    handlers: {
      exportUserData: async ({ auth, caller, origin, c }) => {
        const data: Record<string, unknown> = await exportOwnData(auth, { caller, origin })
        const headers = { 'content-disposition': 'attachment; filename="account-data.json"' }
        return c.json(data, 200, headers)
      },
    },
  })

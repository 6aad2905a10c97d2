import { route } from '../routes/route.ts'
import type { TableRow } from '../routes/route-table.ts'
import { defineRouter } from '../routes/router.ts'
import { openApi } from './openapi.ts'

/** Serves the document of what is served, outside of production: it names every operation there is. */
export function openApiRoutes(table: readonly TableRow[]) {
  return defineRouter(
    {
      coreOpenApi: route
        .get('/_core/openapi.json')
        .handler(() => openApi(table, { title: 'API', version: '1' })),
    },
    { owns: '/_core/' },
  )
}

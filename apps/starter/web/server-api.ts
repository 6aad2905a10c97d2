import { createApi } from '@svc/core/client'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'
import { apiUrl } from './env.ts'

/** The API as a page calls it while it is rendered. */
export const serverApi = createApi<AppRouter>({
  routeMap,
  baseUrl: apiUrl,
  // A page is better rendered without its notices than not at all.
  timeoutMillis: 3000,
})

import { createServerApi } from '@svc/web/next'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

/** The API as a page calls it while it is rendered, as whoever asks for the page. */
export const serverApi = createServerApi<AppRouter>({
  routeMap,
  // A page is better rendered without its notices than not at all.
  timeoutMillis: 3000,
})

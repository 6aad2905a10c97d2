import { createServerApi, getSession } from '@svc/web/next'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

/**
 * The API as a page calls it while it is rendered, as the visitor of the page. It's better to render a page without this
 * data than not at all.
 */
export const serverApi = createServerApi<AppRouter>({ routeMap, timeoutMillis: 3000 })

/** The session of the visitor, or none while the API is down. */
export function knownSession() {
  return getSession().catch(() => null)
}

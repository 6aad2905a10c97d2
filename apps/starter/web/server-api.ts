import { type AuthContract, authRouteMap } from '@svc/auth'
import { createServerApi, getSession } from '@svc/web/next'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

// It's better to render a page without this data than not at all.
const timeoutMillis = 3000

/** The API as a page calls it while it is rendered, as the visitor of the page. */
export const serverApi = createServerApi<AppRouter>({ routeMap, timeoutMillis })

/** The same for the operations of sign-in. */
export const serverAuthApi = createServerApi<AuthContract>({
  routeMap: authRouteMap,
  timeoutMillis,
})

/** The session of the visitor, or none while the API is down. */
export function knownSession() {
  return getSession().catch(() => null)
}

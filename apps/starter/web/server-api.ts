import { type AuthContract, authRouteMap } from '@svc/auth'
import { createServerApi, getSession } from '@svc/web/next'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

// A page is better rendered without what it asks for than not at all.
const timeoutMillis = 3000

/** The API as a page calls it while it is rendered, as whoever asks for the page. */
export const serverApi = createServerApi<AppRouter>({ routeMap, timeoutMillis })

/** The same for the operations of sign-in. */
export const serverAuthApi = createServerApi<AuthContract>({
  routeMap: authRouteMap,
  timeoutMillis,
})

/** The session of the visitor. While the API is away there is none. */
export function knownSession() {
  return getSession().catch(() => null)
}

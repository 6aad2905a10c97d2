import { authRouteMap } from '@svc/auth'
import { authInterceptors, createRpcProxy } from '@svc/web/proxy'
import { routeMap } from 'starter-api/route-map'
import { apiUrl } from '../../../../env.ts'

export const { GET, POST } = createRpcProxy({
  routeMap: { ...routeMap, ...authRouteMap },
  apiUrl,
  interceptors: [authInterceptors()],
})

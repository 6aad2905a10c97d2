import { authRouteMap } from '@svc/auth'
import { authInterceptors, createRpcProxy } from '@svc/web/proxy'
import { contracts } from 'starter-api/contracts'
import { routeMap } from 'starter-api/route-map'
import { apiUrl } from '../../../../env.ts'

export const { GET, POST } = createRpcProxy({
  routeMap: { ...routeMap, ...authRouteMap },
  contracts,
  apiUrl,
  interceptors: [authInterceptors({ contracts })],
})

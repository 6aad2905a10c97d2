import { type Api, type ApiOptions, createApi } from '@svc/core/client'
import type { AuthContract } from './contract.ts'
import { authErrors } from './error-classes.ts'
import { routeMap } from './route-map.generated.ts'

/** Every operation of the service by its name: `authApi.login.call({ body })`. */
export type AuthApi = Api<AuthContract>

/** A client for another place than the usual one, or that signs its requests itself: `{ baseUrl, sign }`. */
export function createAuthApi(options: Omit<ApiOptions, 'routeMap' | 'errors'> = {}): AuthApi {
  return createApi<AuthContract>({ ...options, routeMap, errors: authErrors })
}

/** In a browser it calls the web app's RPC proxy, which signs; elsewhere the API on this machine. */
export const authApi: AuthApi = createAuthApi('document' in globalThis ? { proxy: '/api/rpc' } : {})

import { type Api, type ApiOptions, createApi, type RouteMap } from '@svc/core/client'
import type { AuthContract } from './auth-contract.ts'
import type { CapabilityClient, ContractOf, ProxiedApi, Shown } from './capability/client.ts'
import type { LoginResult, OperationsOf } from './capability/contract.ts'
import type { authContracts } from './contracts.ts'
import { authErrors } from './error-classes.ts'
import { routeMap as ownRoutes } from './route-map.generated.ts'

/** Every operation of the service by its name: `authApi.login.call({ body })`. */
export type AuthApi = Api<AuthContract>

/** The service as a browser calls it: the web app's proxy makes the keys that an operation registers. */
export type ProxiedAuthApi = ProxiedApi<(typeof authContracts)[number]>

/**
 * What every way of signing in returns in a browser. Narrow on `mfaRequired` before reading the
 * rest.
 */
export type ProxiedLoginResult = Shown<LoginResult>

/** What `createAuthApi` takes: the options of `createApi`, and clients of further capabilities. */
export interface AuthApiOptions<Client extends CapabilityClient = never>
  extends Omit<ApiOptions, 'routeMap' | 'errors'> {
  /** The clients of further capabilities: `createAuthApi({ clients: [magicLinkClient] })`. */
  clients?: readonly Client[]
}

/**
 * A client for another address than the usual one, or one that signs its requests itself: `{
 * baseUrl, sign }`. Through a web app's proxy, `{ proxy: '/api/rpc' }`, it takes and returns what
 * the proxy leaves to a page.
 */
export function createAuthApi<Client extends CapabilityClient = never>(
  options: AuthApiOptions<Client> & { proxy: string },
): ProxiedAuthApi & ProxiedApi<ContractOf<Client>>
export function createAuthApi<Client extends CapabilityClient = never>(
  options?: AuthApiOptions<Client>,
): AuthApi & Api<OperationsOf<ContractOf<Client>>>
export function createAuthApi({ clients = [], ...options }: AuthApiOptions<CapabilityClient> = {}) {
  const routeMap: RouteMap = Object.assign({}, ...clients.map((each) => each.routeMap), ownRoutes)
  const errors = [...authErrors, ...clients.flatMap((each) => each.errors)]
  return createApi({ ...options, routeMap, errors })
}

/** In a browser it calls the web app's RPC proxy, which signs; elsewhere the API on this machine. */
export const authApi: ProxiedAuthApi = createAuthApi(
  'document' in globalThis ? { proxy: '/api/rpc' } : {},
) as unknown as ProxiedAuthApi // what is left out of its types is added, or taken out, by the proxy

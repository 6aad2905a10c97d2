import {
  type Api,
  type ApiOptions,
  type CallOptions,
  createApi,
  type Outcome,
} from '@svc/core/client'
import type { AuthContract } from './contract.ts'
import type { KeyRegistration } from './device-key/device-key.ts'
import { authErrors } from './error-classes.ts'
import { routeMap } from './route-map.generated.ts'

/** Every operation of the service by its name: `authApi.login.call({ body })`. */
export type AuthApi = Api<AuthContract>

/** A client for another place than the usual one, or that signs its requests itself: `{ baseUrl, sign }`. */
export function createAuthApi(options: Omit<ApiOptions, 'routeMap' | 'errors'> = {}): AuthApi {
  return createApi<AuthContract>({ ...options, routeMap, errors: authErrors })
}

/** What a caller may send as the body of an operation. */
type BodyOf<Name extends keyof AuthApi> =
  NonNullable<Parameters<AuthApi[Name]['call']>[0]> extends { body: infer Body } ? Body : never

/** The operations that register a key. An operation without a body has `never` for it, which extends everything. */
export type KeyRegistering = {
  [Name in keyof AuthApi]: [BodyOf<Name>] extends [never]
    ? never
    : BodyOf<Name> extends KeyRegistration
      ? Name
      : never
}[keyof AuthApi]

type Answer<Name extends keyof AuthApi> = Awaited<ReturnType<AuthApi[Name]['call']>>
type Refusal<Name extends keyof AuthApi> = Extract<
  Awaited<ReturnType<AuthApi[Name]['try']>>,
  { ok: false }
>['error']

/** An operation that registers a key, with what the proxy gives left out. */
interface KeylessCall<Name extends KeyRegistering> {
  readonly call: (input: KeylessInput<Name>, options?: CallOptions) => Promise<Answer<Name>>
  readonly try: (
    input: KeylessInput<Name>,
    options?: CallOptions,
  ) => Promise<Outcome<Answer<Name>, Refusal<Name>>>
}

interface KeylessInput<Name extends KeyRegistering> {
  // What a mailed link has opened is in a cookie, which the proxy puts into the body.
  body: Omit<BodyOf<Name>, keyof KeyRegistration | 'setupSecret'> & Partial<KeyRegistration>
}

/** The service as a browser calls it: the web app's proxy makes the keys that an operation registers. */
export type ProxiedAuthApi = {
  readonly [Name in keyof AuthApi]: Name extends KeyRegistering ? KeylessCall<Name> : AuthApi[Name]
}

/** In a browser it calls the web app's RPC proxy, which signs; elsewhere the API on this machine. */
export const authApi: ProxiedAuthApi = createAuthApi(
  'document' in globalThis ? { proxy: '/api/rpc' } : {},
) as ProxiedAuthApi // what is left out of its types is added by the proxy

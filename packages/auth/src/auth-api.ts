import {
  type Api,
  type ApiOptions,
  type CallOptions,
  createApi,
  type Outcome,
} from '@svc/core/client'
import type { AuthContract } from './auth-contract.ts'
import type { knownBrowserHeader } from './caller/known-browser-header.ts'
import type { LoginResult } from './capability/login-result.ts'
import type { KeyRegistration } from './device-key/device-key.ts'
import { authErrors } from './error-classes.ts'
import { routeMap } from './route-map.generated.ts'

/** Every operation of the service by its name: `authApi.login.call({ body })`. */
export type AuthApi = Api<AuthContract>

/** A client for another place than the usual one, or that signs its requests itself: `{ baseUrl, sign }`. */
export function createAuthApi(options: Omit<ApiOptions, 'routeMap' | 'errors'> = {}): AuthApi {
  return createApi<AuthContract>({ ...options, routeMap, errors: authErrors })
}

type InputOf<Name extends keyof AuthApi> = NonNullable<Parameters<AuthApi[Name]['call']>[0]>

/** What a caller may send as the body of an operation. */
type BodyOf<Name extends keyof AuthApi> = InputOf<Name> extends { body: infer Body } ? Body : never

/** The key is the machine's own: whoever registers it has been given its public half. */
type OfMachines = 'createMachineKey'

/** The operations that register a key. An operation without a body has `never` for it, which extends everything. */
export type KeyRegistering = {
  [Name in keyof AuthApi]: [BodyOf<Name>] extends [never]
    ? never
    : BodyOf<Name> extends KeyRegistration
      ? Name
      : never
}[Exclude<keyof AuthApi, OfMachines>]

/** The operations that take the token of a known browser. */
export type KnownBrowserTaking = {
  [Name in keyof AuthApi]: InputOf<Name> extends { headers?: infer Headers }
    ? typeof knownBrowserHeader extends keyof NonNullable<Headers>
      ? Name
      : never
    : never
}[keyof AuthApi]

type Answer<Name extends keyof AuthApi> = Awaited<ReturnType<AuthApi[Name]['call']>>
type Refusal<Name extends keyof AuthApi> = Extract<
  Awaited<ReturnType<AuthApi[Name]['try']>>,
  { ok: false }
>['error']

/** What the proxy puts into a body, and keeps in a cookie that no script reads. */
interface Kept {
  completeSignup: 'setupSecret'
  completePasswordReset: 'setupSecret'
  mfaVerifyOptions: 'challenge'
  mfaVerify: 'challenge'
  sessionRenewOptions: 'expiredKeyId'
  sessionRenewVerify: 'expiredKeyId'
  getGoogleOAuthUrl: 'nonce' | keyof KeyRegistration
  getProviderOAuthUrl: 'nonce' | keyof KeyRegistration
  linkSocialAccount: 'nonce'
  finalize: 'pendingToken' | keyof KeyRegistration
}

type Proxied = KeyRegistering | keyof Kept

/** The token of a known browser stays with the proxy, too. */
type Shown<Given> = Given extends { knownBrowser?: unknown }
  ? WithoutSecret<Omit<Given, 'knownBrowser'>>
  : WithoutSecret<Given>

/** Of a sign-in that waits for the second factor the proxy keeps the secret. */
type WithoutSecret<Given> = Given extends { mfaRequired: boolean } & { challenge?: infer Challenge }
  ? 'challenge' extends keyof Given
    ? Omit<Given, 'challenge'> & { challenge?: Omit<NonNullable<Challenge>, 'secret'> }
    : Given
  : Given

/** What every way of signing in answers in a browser. Narrow on `mfaRequired` before reading the rest. */
export type ProxiedLoginResult = Shown<LoginResult>

/** An operation with what the proxy gives, or keeps, left out. */
interface ProxiedCall<Name extends Proxied> {
  readonly call: (input: ProxiedInput<Name>, options?: CallOptions) => Promise<Shown<Answer<Name>>>
  readonly try: (
    input: ProxiedInput<Name>,
    options?: CallOptions,
  ) => Promise<Outcome<Shown<Answer<Name>>, Refusal<Name>>>
}

type ProxiedInput<Name extends Proxied> = Omit<InputOf<Name>, 'body'> & {
  body: Name extends KeyRegistering
    ? Omit<BodyOf<Name>, keyof KeyRegistration | KeptOf<Name>> & Partial<KeyRegistration>
    : Omit<BodyOf<Name>, KeptOf<Name>>
}

type KeptOf<Name> = Name extends keyof Kept ? Kept[Name] : never

/** The service as a browser calls it: the web app's proxy makes the keys that an operation registers. */
export type ProxiedAuthApi = {
  readonly [Name in keyof AuthApi]: Name extends Proxied ? ProxiedCall<Name> : AuthApi[Name]
}

/** In a browser it calls the web app's RPC proxy, which signs; elsewhere the API on this machine. */
export const authApi: ProxiedAuthApi = createAuthApi(
  'document' in globalThis ? { proxy: '/api/rpc' } : {},
) as unknown as ProxiedAuthApi // what is left out of its types is added, or taken out, by the proxy

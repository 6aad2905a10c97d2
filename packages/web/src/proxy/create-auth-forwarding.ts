import { HttpError, NotFoundError, type SignRequest } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { readProxyGuardEnv } from '../proxy-guard/env.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import { answerRefusal, reachApi } from './call-api.ts'
import type { FetchHandler } from './create-rpc-proxy.ts'
import { answeredHeaders, answeredToClients, forwardedOfClient } from './forwarded-headers.ts'
import { readBytes } from './read-input.ts'

/** For `createAuthForwarding`: where the API is, and how long it may take. */
export interface AuthForwardingOptions {
  /** Where the API is. */
  apiUrl?: string
  /** How long the API may take to answer. */
  timeoutMillis?: number
  /** The caller's address, if the host knows the socket. Wins over `SVC_TRUSTED_PROXY_HOPS`. */
  clientAddress?: (request: Request) => string | undefined
  /** The environment variables; those of the process unless given. */
  env?: EnvironmentSource
}

/** A handler for each method, as a route of Next exports them. */
export type AuthForwarding = Record<
  'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
  FetchHandler
>

/** Forwards `<anywhere>/_auth/…` and `<anywhere>/.well-known/oauth-…` to the API, and the metadata of OpenID Connect. `authRewrites` rewrites to it. */
export function createAuthForwarding({
  apiUrl = 'http://localhost:8790',
  timeoutMillis = 30_000,
  clientAddress,
  env,
}: AuthForwardingOptions = {}): AuthForwarding {
  const vouchFor = voucher(readProxyGuardEnv(env))
  const handle: FetchHandler = async (request) => {
    try {
      const vouch = vouchFor(request.headers, clientAddress?.(request))
      const forwarded = await forwardedRequest(request, apiUrl, vouch)
      return await reachApi(forwarded, {
        apiUrl,
        timeoutMillis,
        caller: request,
        answered: [...answeredHeaders, ...answeredToClients],
      })
    } catch (error) {
      if (error instanceof HttpError) return answerRefusal(error, request.headers)
      throw error
    }
  }
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}

async function forwardedRequest(request: Request, apiUrl: string, vouch: SignRequest) {
  const { method } = request
  const url = `${apiUrl.replace(/\/$/, '')}${targetOf(request)}`
  const body = request.body === null ? null : await readBytes(request)
  const headers = new Headers(forwardedOfClient(request.headers))
  // Ours come last, so that a caller's header can't replace them.
  const signed = await vouch({ method, url, ...(body && { body }) })
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
  return { url, method, headers, ...(body && { body }) }
}

const isOfApi =
  /^.*?(\/_auth\/[^/].*|\/\.well-known\/(?:webauthn|openid-configuration|oauth-[^/]+(?:\/.*)?))$/

/** The path as the API knows it, without the mount point, and the query. */
function targetOf(request: Request) {
  const { pathname, search } = new URL(request.url)
  const [, path] = isOfApi.exec(pathname) ?? []
  if (!path) throw new NotFoundError({ resource: 'Page' })
  return `${path}${search}`
}

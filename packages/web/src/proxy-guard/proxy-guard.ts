import { type SignRequest } from '@svc/core/client'
import { forwardedAddress, proxySigner } from '@svc/core/proxy'
import type { ProxyGuardEnv } from './env.ts'

/** Resolves to a function that signs a request to the API for a browser that sent these headers. */
export type VouchFor = (browser: Pick<Headers, 'get'>, address?: string) => SignRequest

/**
 * Signs the visitor's address for the API, if there is a secret. The address is the given one, else
 * what the trusted proxies before the web app say. Without any it is unknown, because a browser may
 * have written the header itself. Then the signature proves only that the proxy sent the request.
 */
export function voucher(env: ProxyGuardEnv): VouchFor {
  const [active] = env.SVC_PROXY_SECRET
  if (!active) return () => async () => ({})
  const sign = proxySigner(active)
  return (browser, address) => (request) =>
    sign(
      request,
      address ?? forwardedAddress(browser.get('x-forwarded-for'), env.SVC_TRUSTED_PROXY_HOPS),
    )
}

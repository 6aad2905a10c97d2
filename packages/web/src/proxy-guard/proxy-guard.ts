import { type SignRequest } from '@svc/core/client'
import { forwardedAddress, proxySigner } from '@svc/core/proxy'
import type { ProxyGuardEnv } from './env.ts'

/** Resolves to what signs a request to the API for a browser that sent these headers. */
export type VouchFor = (browser: Pick<Headers, 'get'>, address?: string) => SignRequest

/**
 * Signs for whom a request is sent, where there is a secret. The address is the given one, else what the trusted
 * proxies before the web app say. Without any it is unknown, because a browser may have written the header itself:
 * then the signature says who the proxy is, and no more.
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

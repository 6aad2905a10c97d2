import { isIP } from 'node:net'
import { ForbiddenError } from '../errors/contract.ts'
import { withoutMapping } from '../request/client.ts'
import type { Chain } from '../routes/routes.ts'
import { guardMode, type ProxyGuardEnv } from './env.ts'
import { proxyVerifier } from './proxy-verifier.ts'

/** Puts the guard before the code that answers a request. */
export type GuardChain = (chain: Chain) => Chain

/**
 * With `tag`, a request that isn't from the web proxy is answered as if it had none of the proxy's
 * headers. With `strict`, it is refused. Nothing runs before the guard, so no limit or log has used
 * the wrong address.
 */
export function proxyGuard(env: ProxyGuardEnv): GuardChain {
  const mode = guardMode(env)
  if (mode === 'off') return (chain) => chain
  const verify = proxyVerifier(env.SVC_PROXY_SECRET)
  return (chain) => async (c) => {
    const signed = await verify(c)
    if (!signed && mode === 'strict') {
      throw new ForbiddenError({ message: 'This API accepts requests from its web app only.' })
    }
    const address = withoutMapping(signed?.address ?? '')
    if (isIP(address)) c.vouchedAddress = address
    return chain(c)
  }
}

import { isIP } from 'node:net'
import { ForbiddenError } from '../errors/contract.ts'
import { withoutMapping } from '../request/client.ts'
import type { Chain } from '../routes/routes.ts'
import { guardMode, type ProxyGuardEnv } from './env.ts'
import { proxyVerifier } from './proxy-verifier.ts'

/** Puts the guard before what answers a request. */
export type GuardChain = (chain: Chain) => Chain

/**
 * With `tag`, whoever is not the web proxy is answered as if its headers were not there; with `strict`, not at all.
 * Nothing runs before it, so nothing has counted or noted another address.
 */
export function proxyGuard(env: ProxyGuardEnv): GuardChain {
  const mode = guardMode(env)
  if (mode === 'off') return (chain) => chain
  const verify = proxyVerifier(env.SVC_PROXY_SECRET)
  return (chain) => async (c) => {
    const signed = await verify(c)
    if (!signed && mode === 'strict') {
      throw new ForbiddenError({ message: 'This API answers to its web app only.' })
    }
    const address = withoutMapping(signed?.address ?? '')
    if (isIP(address)) c.vouchedAddress = address
    return chain(c)
  }
}

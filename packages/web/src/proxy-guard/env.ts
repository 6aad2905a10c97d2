import { defineEnv, type EnvironmentSource, integer, proxySecrets } from '@svc/core/env'

export const proxyGuardVariables = {
  SVC_PROXY_SECRET: proxySecrets,
  SVC_TRUSTED_PROXY_HOPS: integer({ initial: 0, min: 0, max: 16 }),
}

const readVariables = defineEnv(proxyGuardVariables)

/**
 * For a proxy that keeps no session and has none of the other variables. Some hosts have no
 * `process`.
 */
export function readProxyGuardEnv(source: EnvironmentSource = globalThis.process?.env ?? {}) {
  return readVariables(source)
}

export type ProxyGuardEnv = ReturnType<typeof readProxyGuardEnv>

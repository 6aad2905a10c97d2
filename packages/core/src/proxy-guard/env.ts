import { EnvironmentError, type Variable } from '../env/define-env.ts'
import { oneOf } from '../env/variables.ts'
import { type ProxySecret, proxySecrets } from './proxy-secrets.ts'

export type GuardMode = 'off' | 'tag' | 'strict'

const mode: Variable<GuardMode | undefined> = (given) =>
  given === undefined ? { value: undefined } : oneOf('off', 'tag', 'strict')(given)

export const proxyGuardVariables = {
  SVC_PROXY_SECRET: proxySecrets,
  SVC_PROXY_GUARD: mode,
}

export interface ProxyGuardEnv {
  SVC_PROXY_SECRET: readonly ProxySecret[]
  SVC_PROXY_GUARD: GuardMode | undefined
}

/** A guard without a secret would vouch for nobody, or let nobody in. */
export function guardMode({ SVC_PROXY_SECRET, SVC_PROXY_GUARD }: ProxyGuardEnv): GuardMode {
  const hasSecret = SVC_PROXY_SECRET.length > 0
  const wanted = SVC_PROXY_GUARD ?? (hasSecret ? 'tag' : 'off')
  if (wanted === 'off' || hasSecret) return wanted
  throw new EnvironmentError([`SVC_PROXY_SECRET is required: SVC_PROXY_GUARD is ${wanted}`])
}

import { EnvironmentError, oneOf, plain, type Variable } from '../env/env.ts'

/** A secret that the web proxy and the API share, with an id that says which of several it is. */
export interface ProxySecret {
  readonly keyId: string
  readonly secret: string
}

const problem =
  'must be a list of <keyId>:<secret>, each id once and each secret at least 32 characters without spaces; create one with openssl rand -base64 32'

/**
 * Entries separated by commas. The first one signs, and all of them verify, so that a secret can be
 * changed without a gap.
 */
export const proxySecrets: Variable<readonly ProxySecret[]> = (given) => {
  const entries = given?.split(',').map((each) => readEntry(each.trim())) ?? []
  const secrets = entries.filter((each) => each !== null)
  const ids = new Set(secrets.map(({ keyId }) => keyId))
  return ids.size === entries.length ? { value: secrets } : { problem }
}

function readEntry(text: string): ProxySecret | null {
  const [, keyId, secret] = /^([\w-]{1,64}):([\x21-\x7e]{32,})$/.exec(text) ?? []
  return keyId && secret ? { keyId, secret } : null
}

export type GuardMode = 'off' | 'tag' | 'strict'

const mode = plain<GuardMode | undefined>((given) =>
  given === undefined ? { value: undefined } : oneOf('off', 'tag', 'strict')(given),
)

export const proxyGuardVariables = {
  SVC_PROXY_SECRET: proxySecrets,
  SVC_PROXY_GUARD: mode,
}

export interface ProxyGuardEnv {
  SVC_PROXY_SECRET: readonly ProxySecret[]
  SVC_PROXY_GUARD: GuardMode | undefined
}

/** A guard without a secret would trust no request (`tag`) or refuse every one (`strict`). */
export function guardMode({ SVC_PROXY_SECRET, SVC_PROXY_GUARD }: ProxyGuardEnv): GuardMode {
  const hasSecret = SVC_PROXY_SECRET.length > 0
  const wanted = SVC_PROXY_GUARD ?? (hasSecret ? 'tag' : 'off')
  if (wanted === 'off' || hasSecret) return wanted
  throw new EnvironmentError([`SVC_PROXY_SECRET is required: SVC_PROXY_GUARD is ${wanted}`])
}

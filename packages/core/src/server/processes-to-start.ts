import { cacheUrl, type ServerDefinition } from '../definition/definition.ts'
import { readServerEnv } from '../definition/env.ts'
import { EnvironmentError, type EnvironmentSource } from '../env/env.ts'
import { isMember, processCount } from '../processes/processes.ts'

interface ToStart {
  /** 1 if this process serves by itself. */
  readonly count: number
  readonly env: EnvironmentSource
  /** Why `auto` means one here. */
  readonly problem?: string
}

/** How many processes this one must start, and with which variables. */
export function processesToStart(definition: ServerDefinition, source: EnvironmentSource): ToStart {
  const alone = { count: 1, env: source }
  if (isMember()) return alone
  try {
    const env = readServerEnv(source)
    cacheUrl(definition, env)
    return { count: processCount(env), env: source }
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    // The start reports the problem, together with all others. But `auto` may be set for every
    // application.
    if (source['SVC_PROCESSES'] !== 'auto' || !startsAlone(definition, source)) return alone
    const problem = `one process serves, although SVC_PROCESSES is auto: ${error.problems.join('; ')}`
    return { count: 1, env: { ...source, SVC_PROCESSES: '1' }, problem }
  }
}

function startsAlone(definition: ServerDefinition, source: EnvironmentSource) {
  try {
    cacheUrl(definition, readServerEnv({ ...source, SVC_PROCESSES: '1' }))
    return true
  } catch {
    return false
  }
}

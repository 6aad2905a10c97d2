import { parseDuration, plain, type Variable } from '../env/env.ts'

// A longer time is a typing error: `5h` instead of `5s` would block a deploy.
const longestMillis = 300_000

// Balancers that ask once a second have noticed by then, and some supervisors kill after ten
// seconds.
const productionMillis = 5000

const shutdownDelay: Variable<number | undefined> = plain((given) => {
  if (given === undefined) return { value: undefined }
  const millis = parseDuration(given)
  return millis !== null && millis <= longestMillis
    ? { value: millis }
    : { problem: 'must be a duration from 0s to 5m' }
})

/** For all that serve requests. */
export const shutdownVariables = { SVC_SHUTDOWN_DELAY: shutdownDelay }

interface Given {
  NODE_ENV?: string | undefined
  SVC_SHUTDOWN_DELAY: number | undefined
}

/** How long a server continues as usual after it has reported that it stops. */
export function shutdownDelayMillis({ NODE_ENV, SVC_SHUTDOWN_DELAY }: Given) {
  return SVC_SHUTDOWN_DELAY ?? (NODE_ENV === 'production' ? productionMillis : 0)
}

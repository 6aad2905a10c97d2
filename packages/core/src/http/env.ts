import { parseDuration, plain, type Variable } from '../env/env.ts'

// Longer is a typing error: `5h` for `5s` would hold up a deploy.
const longestMillis = 300_000

// Balancers that ask once a second have noticed by then; some supervisors kill after ten.
const productionMillis = 5000

const shutdownDelay: Variable<number | undefined> = plain((given) => {
  if (given === undefined) return { value: undefined }
  const millis = parseDuration(given)
  return millis !== null && millis <= longestMillis
    ? { value: millis }
    : { problem: 'must be a duration from 0s to 5m' }
})

/** Of everything that serves requests. */
export const shutdownVariables = { SVC_SHUTDOWN_DELAY: shutdownDelay }

interface Given {
  NODE_ENV?: string | undefined
  SVC_SHUTDOWN_DELAY: number | undefined
}

/** How long a server goes on as usual after it has said that it goes down. */
export function shutdownDelayMillis({ NODE_ENV, SVC_SHUTDOWN_DELAY }: Given) {
  return SVC_SHUTDOWN_DELAY ?? (NODE_ENV === 'production' ? productionMillis : 0)
}

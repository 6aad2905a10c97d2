import type { RetryOptions } from './jobs.ts'

const longestDelaySeconds = 15 * 60

/** A worker without a heartbeat for this long counts as dead, and another one gets its job. */
const heartbeatSeconds = 60

/**
 * Stored in each row, so that a change of a job's declaration takes effect from the next row on.
 */
export function retryOptions({ limit, delaySeconds }: Required<RetryOptions>) {
  return {
    retryLimit: limit,
    retryDelay: delaySeconds,
    retryBackoff: true,
    retryDelayMax: Math.max(longestDelaySeconds, delaySeconds),
    heartbeatSeconds,
  }
}

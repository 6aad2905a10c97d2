import type { RetryOptions } from './jobs.ts'

const longestDelaySeconds = 15 * 60

/** A worker that has said nothing for this long is taken for dead, and its job is given to another. */
const heartbeatSeconds = 60

/** What each row carries, so that a change of a job's declaration counts from the next one on. */
export function retryOptions({ limit, delaySeconds }: Required<RetryOptions>) {
  return {
    retryLimit: limit,
    retryDelay: delaySeconds,
    retryBackoff: true,
    retryDelayMax: Math.max(longestDelaySeconds, delaySeconds),
    heartbeatSeconds,
  }
}

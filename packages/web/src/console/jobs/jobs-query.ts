import type { JobState } from '@svc/auth'
import { type AddressQuery, textOf } from '../address-query.ts'

/** What an operator looks for most often comes first. */
export const jobStates = [
  'failed',
  'waiting',
  'running',
  'done',
  'cancelled',
] as const satisfies readonly JobState[]

/** Which jobs an address asks for. */
export interface JobsQuery {
  /** The name of a queue; all of them where it is empty. */
  job: string
  state?: JobState
  /** Where the page before has ended. */
  after: string
}

export function readJobsQuery(query: AddressQuery): JobsQuery {
  const job = textOf(query, 'job', 200)
  const state = jobStates.find((each) => each === query['state'])
  return {
    // Where it is no name, the API would refuse the whole list.
    job: /^[\w./-]+$/.test(job) ? job : '',
    after: textOf(query, 'after', 1000),
    ...(state && { state }),
  }
}

export function jobsAddress(path: string, query: Partial<JobsQuery>) {
  const given = new URLSearchParams(jobsInput(query))
  return given.size === 0 ? path : `${path}?${given}`
}

/** What `listJobs` is asked. */
export function jobsInput({ job, state, after }: Partial<JobsQuery>) {
  return { ...(job && { job }), ...(state && { state }), ...(after && { after }) }
}

import { aligned } from '../terminal.ts'

/** A job, as `readJob` has it. */
export interface JobDetails {
  jobId: string
  job: string
  state: string
  attempt: number
  retryLimit: number
  createdAt: string
  startAfter: string
  startedAt?: string
  finishedAt?: string
  error?: { name: string; message: string; stack?: string }
  input?: string
}

/** A job on a screen: what became of it, and what it was given. */
export function describeJob({ error, input, ...job }: JobDetails) {
  const lines = [
    ['Job id', job.jobId],
    ['Job', job.job],
    ['State', job.state],
    ['Runs', `${job.attempt} of ${job.retryLimit + 1}`],
    ['Created', job.createdAt],
    ['Not before', job.startAfter],
    ['Started', job.startedAt ?? 'not yet'],
    ['Finished', job.finishedAt ?? 'not yet'],
  ]
  return [
    ...aligned(lines).map((row) => row.join('   ')),
    ...(error ? section('Error', error.stack ?? `${error.name}: ${error.message}`) : []),
    ...(input === undefined ? [] : section('Input', input)),
  ].join('\n')
}

const section = (title: string, text: string) => [
  '',
  `${title}:`,
  ...text.split('\n').map((line) => `  ${line}`),
]

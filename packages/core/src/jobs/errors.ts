import type { InvalidField } from '../errors/contract.ts'

/** The schema of a job refuses an input, when it is enqueued or when it is read from the queue. */
export class JobInputError extends Error {
  override readonly name = 'JobInputError'
  readonly job: string
  readonly fields: InvalidField[]

  constructor(job: string, fields: InvalidField[]) {
    const faults = fields.map(({ path, message }) => `${path} ${message}`)
    super(`The input of job ${job} does not match its schema: ${faults.join('; ')}.`)
    this.job = job
    this.fields = fields
  }
}

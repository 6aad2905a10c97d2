import type { InvalidField } from '../errors/contract.ts'

/** A job was given an input that its schema refuses, or finds one in its queue. */
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

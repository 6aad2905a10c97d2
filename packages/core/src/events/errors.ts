import type { InvalidField } from '../errors/contract.ts'

/** An event was emitted with a payload that its schema refuses. Nothing was delivered. */
export class EventPayloadError extends Error {
  override readonly name = 'EventPayloadError'
  readonly event: string
  readonly fields: InvalidField[]

  constructor(event: string, fields: InvalidField[]) {
    const faults = fields.map(({ path, message }) => `${path} ${message}`)
    super(`The payload of ${event} does not match its schema: ${faults.join('; ')}.`)
    this.event = event
    this.fields = fields
  }
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const acceptable = /^[A-Za-z0-9._-]{8,128}$/
// Unique, not secret: one random prefix a process and a count cost a tenth of a UUID.
const prefix = randomBytes(8).toString('hex')
let count = 0

/** The caller's id when it is of a form that is safe to log and to send back, else a new one. */
export function requestIdOf(incoming: IncomingMessage) {
  const given = incoming.headers['x-request-id']
  return typeof given === 'string' && acceptable.test(given) ? given : newRequestId()
}

export function newRequestId() {
  return `${prefix}-${(count++).toString(36)}`
}

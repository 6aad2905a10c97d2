import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const acceptable = /^[A-Za-z0-9._-]{8,128}$/
// Unique, but not secret: a random prefix per process and a counter cost a tenth of a UUID.
const prefix = randomBytes(8).toString('hex')
let count = 0

/** The caller's id if its form is safe to log and to send back, else a new one. */
export function requestIdOf(incoming: IncomingMessage) {
  const given = incoming.headers['x-request-id']
  return typeof given === 'string' && acceptable.test(given) ? given : newRequestId()
}

export function newRequestId() {
  return `${prefix}-${(count++).toString(36)}`
}

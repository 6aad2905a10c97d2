import { STATUS_CODES, validateHeaderValue } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer, AnswerHeaders } from '../request/client.ts'

/** Answers on a socket without a response object, and ends the connection. */
export function refuseOnSocket(socket: Duplex, answer: Answer, headers: AnswerHeaders) {
  const body = answer.encode() ?? ''
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `content-type: ${answer.contentType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...answer.headers, ...headers }).map(headerLine),
    'cache-control: no-store',
    'connection: close',
  ]
  // The server no longer listens to a socket that it has handed over, and an error without a
  // listener ends the process.
  socket.on('error', ignore)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function ignore() {}

/** Throws if it would be more than one line, as a response object would. */
function headerLine([name, value]: [string, AnswerHeaders[string]]) {
  const text = String(value)
  validateHeaderValue(name, text)
  return `${name}: ${text}`
}

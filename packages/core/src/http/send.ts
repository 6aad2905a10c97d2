import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer, AnswerHeaders } from '../request/client.ts'
import type { RawContext } from '../request/request.ts'

/** Writes an answer. It throws before the first byte when the answer cannot be written as it is. */
export function sendAnswer(c: RawContext, answer: Answer) {
  const body = answer.encode()
  // One record, written once: each header set on its own costs the route a tenth of its rate.
  const headers: WrittenHeaders =
    body === null
      ? { 'x-request-id': c.requestId }
      : { 'x-request-id': c.requestId, 'content-type': answer.contentType, 'content-length': 0 }
  if (c.headers) Object.assign(headers, c.headers)
  if (answer.headers) addHeaders(headers, answer.headers)
  // Last: another length than the body's own would make the rest of it the next answer on this connection.
  if (body !== null) headers['content-length'] = Buffer.byteLength(body)
  writeHead(c, answer.status, headers)
  c.outgoing.end(body)
}

/** A name may be written in any case, and must not leave twice. */
function addHeaders(headers: WrittenHeaders, added: AnswerHeaders) {
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase()
    const before = key === 'set-cookie' ? headers[key] : undefined
    headers[key] = before === undefined ? value : [before as string | string[], value].flat()
  }
}

const readerLeft = 'ERR_STREAM_PREMATURE_CLOSE'

// How a message is framed is for this connection to say, not for the one that a response was fetched over.
const framing = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']

/** A response of the web's own kind, such as one that fetch brought: its body is streamed. */
export async function sendResponse(c: RawContext, response: Response) {
  const { outgoing } = c
  const headers: WrittenHeaders = { ...c.headers, ...Object.fromEntries(response.headers) }
  const cookies = [...[c.headers?.['set-cookie'] ?? []].flat(), ...response.headers.getSetCookie()]
  if (cookies.length > 0) headers['set-cookie'] = cookies
  for (const name of framing) delete headers[name]
  // fetch has decoded what it brought.
  if (response.url && headers['content-encoding']) {
    delete headers['content-encoding']
    delete headers['content-length']
  }
  const body = response.body && Readable.fromWeb(response.body as never)
  writeHead(c, response.status, { ...headers, 'x-request-id': c.requestId })
  if (!body || c.incoming.method === 'HEAD') {
    // Node would read a body to its end, which an endless one has not, only to leave it out.
    body?.destroy()
    return outgoing.end()
  }
  // A body that fails half-way can only be cut off, and a reader that leaves early has nobody left to tell.
  return pipeline(body, ofLength(headers['content-length']), outgoing).catch((error: unknown) => {
    const left = error instanceof Error && 'code' in error && error.code === readerLeft
    if (!left) c.server.log.error({ err: error, requestId: c.requestId }, 'an answer was cut off')
  })
}

/** With more or fewer bytes than announced, the next answer would be taken for a part of this one, or a part for it. */
function ofLength(length: WrittenHeaders[string] | undefined) {
  return async function* (body: AsyncIterable<Buffer>) {
    let left = Number(length)
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) throw new Error('The body is longer than its content-length.')
      yield chunk
    }
    if (left > 0) throw new Error('The body is shorter than its content-length.')
  }
}

type WrittenHeaders = Record<string, string | string[] | number>

function writeHead(c: RawContext, status: number, headers: WrittenHeaders) {
  const { outgoing } = c
  // What is left of a body that nobody has read must not be taken for the next request.
  if (!c.isReceived) headers.connection = 'close'
  // A cache must not hand one origin's answer to another, whatever else the answer varies by.
  if (headers.vary && outgoing.hasHeader('vary')) headers.vary = `Origin, ${headers.vary as string}`
  outgoing.writeHead(status, headers)
}

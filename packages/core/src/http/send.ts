import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer, AnswerHeaders } from '../request/client.ts'
import type { RawContext } from '../request/request.ts'

/** Writes an answer. If the answer can't be written, it throws before the first byte. */
export function sendAnswer(c: RawContext, answer: Answer) {
  const body = answer.encode()
  // One record, written once: setting each header by itself costs the route a tenth of its rate.
  const headers: WrittenHeaders =
    body === null
      ? { 'x-request-id': c.requestId }
      : { 'x-request-id': c.requestId, 'content-type': answer.contentType, 'content-length': 0 }
  if (c.headers) Object.assign(headers, c.headers)
  if (answer.headers) addHeaders(headers, answer.headers)
  // Last: with another length than the body's own, the rest of it would become the next answer on
  // this connection.
  if (body !== null) headers['content-length'] = Buffer.byteLength(body)
  writeHead(c, answer.status, headers)
  c.outgoing.end(body)
}

/** A name may be written in any case, and must not be sent twice. */
function addHeaders(headers: WrittenHeaders, added: AnswerHeaders) {
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase()
    const before = key === 'set-cookie' ? headers[key] : undefined
    headers[key] = before === undefined ? value : [before as string | string[], value].flat()
  }
}

const readerLeft = 'ERR_STREAM_PREMATURE_CLOSE'

// This connection decides how a message is framed, not the one that a response was fetched over.
const framing = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']

/** A web `Response`, for example from fetch: its body is streamed. */
export async function sendResponse(c: RawContext, response: Response) {
  const { outgoing } = c
  const headers: WrittenHeaders = { ...c.headers, ...Object.fromEntries(response.headers) }
  const cookies = [...[c.headers?.['set-cookie'] ?? []].flat(), ...response.headers.getSetCookie()]
  if (cookies.length > 0) headers['set-cookie'] = cookies
  for (const name of framing) delete headers[name]
  // fetch has decoded the body.
  if (response.url && headers['content-encoding']) {
    delete headers['content-encoding']
    delete headers['content-length']
  }
  const body = response.body && Readable.fromWeb(response.body as never)
  writeHead(c, response.status, { ...headers, 'x-request-id': c.requestId })
  if (!body || c.incoming.method === 'HEAD') {
    // Node would read a body to its end only to leave it out, and an endless one has no end.
    body?.destroy()
    return outgoing.end()
  }
  // A body that fails half-way can only be cut off. A client that leaves early can't be told.
  return pipeline(body, ofLength(headers['content-length']), outgoing).catch((error: unknown) => {
    const left = error instanceof Error && 'code' in error && error.code === readerLeft
    if (!left) c.server.log.error({ err: error, requestId: c.requestId }, 'an answer was cut off')
  })
}

/**
 * With more or fewer bytes than announced, the client would mix up this answer and the next one.
 */
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
  // The unread rest of a body must not be taken for the next request.
  if (!c.isReceived) headers.connection = 'close'
  // A cache must not give one origin's answer to another, even if it varies by other headers too.
  if (headers.vary && outgoing.hasHeader('vary')) headers.vary = `Origin, ${headers.vary as string}`
  outgoing.writeHead(status, headers)
}

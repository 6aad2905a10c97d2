import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { moduleOfNode } from '../../node-host.ts'
import { picked } from '../forwarded-headers.ts'
import { decoded } from './decoded.ts'
import { type ApiAnswer, isShort } from './exchange.ts'

interface Asked {
  readonly method: string
  readonly answered: readonly string[]
}

const withoutBody = [204, 205, 304]

/** The part of an answer that a browser may see, as `fetch` would give it. */
export async function readAnswer(
  answer: IncomingMessage,
  { method, answered }: Asked,
): Promise<ApiAnswer> {
  const { statusCode: status = 0 } = answer
  const headers = headersOf(answer)
  const hasBody = method !== 'HEAD' && !withoutBody.includes(status)
  return {
    status,
    headers: picked(headers, answered),
    cookies: headers.getSetCookie(),
    body: hasBody ? await bodyOf(answer, headers) : nothingOf(answer),
  }
}

/** If a header comes several times, Node's own record keeps only one, for some names. */
function headersOf({ rawHeaders }: IncomingMessage) {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string) // they come in pairs
  }
  return headers
}

function nothingOf(answer: IncomingMessage) {
  // An answer that isn't read keeps its connection from the next call.
  answer.resume()
  return null
}

async function bodyOf(answer: IncomingMessage, headers: Headers) {
  const content = decoded(answer, headers.get('content-encoding'))
  if (isShort(headers.get('content-length'))) return whole(content)
  endInSilence(answer)
  return moduleOfNode('node:stream')?.Readable.toWeb(content) as ReadableStream // the same class under two names
}

function whole(content: Readable) {
  return new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = []
    content.on('data', (chunk) => chunks.push(chunk))
    content.on('end', () => resolve(Buffer.concat(chunks)))
    content.on('error', reject)
  })
}

// As long as Node's `fetch` waits for the next piece of an answer.
const silentMillis = 300_000

/** Without a limit, a stream would stay open when the machine of the API is gone. */
function endInSilence(answer: IncomingMessage) {
  const { socket } = answer
  const end = () => {
    // If the answer is paused, the browser is the silent one.
    if (!answer.isPaused()) answer.destroy(new Error(`Nothing came for ${silentMillis} ms`))
  }
  socket.setTimeout(silentMillis).on('timeout', end)
  answer.once('close', () => socket.off('timeout', end))
}

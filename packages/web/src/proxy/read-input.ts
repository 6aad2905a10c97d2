import {
  BadRequestError,
  type CallInput,
  inputHeader,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
} from '@svc/core/client'
import { parseJson } from '@svc/core/proxy'

// The limit of the API itself. The envelope around the body takes only a few bytes of it.
const limitBytes = 1_048_576

// The API accepts 64 levels in a body, and the input is around it. Serializing deeper ones takes
// seconds.
const deepest = 65

/** Reads `?input=` of a GET, and the body of a POST. */
export async function readInput(request: Request): Promise<CallInput> {
  const bytes = request.method === 'POST' ? await readJson(request) : inputOf(request)
  return checkShape(bytes.length > 0 ? parseJson(bytes, 'input', deepest) : {})
}

/** Reads the other parts of a call whose body isn't JSON. */
export function readInputHeader(request: Request): CallInput {
  const header = request.headers.get(inputHeader)
  // A form of another site can send these bodies, but no header of this name without the browser asking first.
  if (header === null) {
    throw new UnsupportedMediaTypeError({ message: `Send the input in the header ${inputHeader}.` })
  }
  return checkShape(parseJson(utf8(decoded(header)), 'input', deepest))
}

function decoded(header: string) {
  try {
    return decodeURIComponent(header)
  } catch {
    throw new BadRequestError({ message: `The header ${inputHeader} is not percent-encoded.` })
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

function inputOf({ url }: Request) {
  return utf8(new URL(url).searchParams.get('input') ?? '')
}

function readJson(request: Request) {
  // A form of another site can send any other type without the browser asking first.
  if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new UnsupportedMediaTypeError({ message: 'Send the input as application/json.' })
  }
  return readBytes(request)
}

/** The body, if it is not over 1 MiB. */
export async function readBytes(request: Request) {
  const blob = await readBlob(request, { maxBytes: limitBytes })
  return new Uint8Array(await blob.arrayBuffer())
}

interface Reading {
  maxBytes: number
  onChunk?: (chunk: Uint8Array) => void
  /** Ends the reading, with its reason for a refusal. */
  signal?: AbortSignal
}

/** The body, if it is not over its limit. */
export async function readBlob(request: Request, { maxBytes, onChunk, signal }: Reading) {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of piecesOf(request, signal)) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
    onChunk?.(chunk)
    signal?.throwIfAborted()
  }
  return new Blob(chunks)
}

/** The signal is listened to here, because a sender that has stopped would never end the reading. */
function piecesOf({ body }: Request, signal: AbortSignal | undefined) {
  if (!body || !signal) return body ?? []
  return body.pipeThrough(new TransformStream(), { signal })
}

function tooLarge(maxBytes: number) {
  return new PayloadTooLargeError({
    message: `The input is over ${maxBytes} bytes.`,
    limitBytes: maxBytes,
  })
}

const records = new Set(['params', 'query', 'headers'])

function checkShape(input: unknown): CallInput {
  const isInput =
    isRecord(input) &&
    Object.entries(input).every(([name, value]) => {
      return name === 'body' || (records.has(name) && isRecord(value))
    })
  if (isInput) return input
  throw new BadRequestError({
    message: 'The input must be an object with params, query, headers and body.',
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import {
  BadRequestError,
  type CallInput,
  PayloadTooLargeError,
  parseJson,
  UnsupportedMediaTypeError,
} from '@svc/core/client'

// What the API takes itself. The envelope around its body is some bytes more, which nobody will miss.
const limitBytes = 1_048_576

// The 64 that the API takes of a body, and the input around it. Writing deeper ones out takes seconds.
const deepest = 65

/** Reads `?input=` of a GET, and the body of a POST. */
export async function readInput(request: Request): Promise<CallInput> {
  const bytes = request.method === 'POST' ? await readJson(request) : inputOf(request)
  return checkShape(bytes.length > 0 ? parseJson(bytes, 'input', deepest) : {})
}

function inputOf({ url }: Request) {
  return new TextEncoder().encode(new URL(url).searchParams.get('input') ?? undefined)
}

function readJson(request: Request) {
  // A form of another site can send any other type without the browser asking first.
  if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new UnsupportedMediaTypeError({ message: 'Send the input as application/json.' })
  }
  return readBytes(request)
}

/** The body, as long as it is not over 1 MiB. */
export async function readBytes(request: Request) {
  if (Number(request.headers.get('content-length')) > limitBytes) throw tooLarge()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function tooLarge() {
  return new PayloadTooLargeError({ message: `The input is over ${limitBytes} bytes.`, limitBytes })
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
    message: 'The input is an object of params, query, headers and body.',
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

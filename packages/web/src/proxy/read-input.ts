import {
  BadRequestError,
  type CallInput,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
} from '@svc/core/client'

// What the API takes itself. The envelope around its body is some bytes more, which nobody will miss.
const limitBytes = 1_048_576

/** Reads `?input=` of a GET, and the body of a POST. */
export async function readInput(request: Request): Promise<CallInput> {
  const text =
    request.method === 'POST'
      ? await readJsonText(request)
      : new URL(request.url).searchParams.get('input')
  return checkShape(text ? parse(text) : {})
}

async function readJsonText(request: Request) {
  // A form of another site can send any other type without the browser asking first.
  if (!/^application\/json(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new UnsupportedMediaTypeError({ message: 'Send the input as application/json.' })
  }
  const bytes = await readBytes(request)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed()
  }
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
  return new Blob(chunks).arrayBuffer()
}

function tooLarge() {
  return new PayloadTooLargeError({ message: `The input is over ${limitBytes} bytes.`, limitBytes })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the input, and the input may hold a password.
    throw malformed()
  }
}

function malformed() {
  return new BadRequestError({ message: 'The input is not valid JSON.' })
}

const records = new Set(['params', 'query', 'headers'])

// The 64 that the API takes of a body, and the input around it. Writing deeper ones out takes seconds.
const deepest = 65

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members = Array.isArray(value) ? value : Object.values(value)
  for (const each of members) if (isDeeper(each, levels - 1)) return true
  return false
}

function checkShape(input: unknown): CallInput {
  if (isDeeper(input, deepest)) {
    throw new BadRequestError({ message: 'The input is nested too deep.' })
  }
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

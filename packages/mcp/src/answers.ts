import type { Answer } from '@svc/core'

/** The answer of a route, read to its end. */
export type ReadAnswer = { readonly status: number; readonly type: string } & (
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string }
)

/** Larger than what any model reads. All of it is in memory, as base64 within JSON. */
const maxBytes = 10 * 1024 * 1024

const isText = /^text\/|[/+](?:json|xml|javascript)(?:;|$)/

export async function readAnswer(answer: Answer | Response): Promise<ReadAnswer> {
  const { status } = answer
  if (!(answer instanceof Response)) {
    const { contentType: type, value } = answer
    if (type === 'application/json') return { kind: 'json', status, type, value }
    return { kind: 'text', status, type, text: value as string }
  }
  const type = answer.headers.get('content-type') ?? 'application/octet-stream'
  const bytes = await readBytes(answer)
  if (isText.test(type)) return { kind: 'text', status, type, text: bytes.toString() }
  return { kind: 'bytes', status, type, base64: bytes.toString('base64') }
}

async function readBytes({ body }: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export interface Refusal {
  readonly error?: { readonly code?: string; readonly message?: string }
}

/** What is wrong, for a model to read. */
export function refusalOf(answer: ReadAnswer) {
  const value = answer.kind === 'json' ? (answer.value as Refusal | undefined) : undefined
  const { code = 'Error', message = 'It failed.' } = value?.error ?? {}
  // A model has given all members in one object, so it knows no parts of a request.
  const own =
    code === 'ValidationError' ? message.replace(/\b(?:params|query|body)\./g, '') : message
  return `${code}: ${own}`
}

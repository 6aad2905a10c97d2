import type { TestAnswer } from '../../testing.ts'

const endOfHead = '\r\n\r\n'

const lastChunk = '0\r\n\r\n'

/** How many bytes an answer has that begins so; Infinity while nobody can say. */
export function answerLength(begun: Buffer) {
  const end = begun.indexOf(endOfHead)
  if (end === -1) return Number.POSITIVE_INFINITY
  const head = begun.subarray(0, end).toString('latin1')
  const body = end + endOfHead.length
  if (isChunked(head)) {
    const last = begun.indexOf(lastChunk, body)
    return last === -1 ? Number.POSITIVE_INFINITY : last + lastChunk.length
  }
  const length = /^content-length: *(\d+)/im.exec(head)?.[1] ?? '0'
  return body + Number(length)
}

// What the service streams has no chunk that holds the end of all chunks: it is JSON, or empty.
const isChunked = (head: string) => /^transfer-encoding: *chunked/im.test(head)

export function readAnswer(text: string): TestAnswer {
  const [head = '', ...rest] = text.split(endOfHead)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((each) => each.split(/: (.*)/, 2) as [string, string]))
  const status = Number(statusLine.split(' ')[1])
  const sent = rest.join(endOfHead)
  const body = isChunked(head) ? withoutChunks(sent) : sent
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) }
}

function withoutChunks(sent: string) {
  return sent
    .split('\r\n')
    .filter((_, index) => index % 2 === 1)
    .join('')
}

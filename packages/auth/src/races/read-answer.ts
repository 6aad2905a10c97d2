import type { TestAnswer } from '../testing.ts'

const endOfHead = '\r\n\r\n'

/** How many bytes an answer has that begins so; Infinity while nobody can say. The service sends no chunks. */
export function answerLength(begun: Buffer) {
  const end = begun.indexOf(endOfHead)
  if (end === -1) return Number.POSITIVE_INFINITY
  const head = begun.subarray(0, end).toString('latin1')
  if (/^transfer-encoding:/im.test(head)) throw new Error(`An answer in chunks: ${head}`)
  const length = /^content-length: *(\d+)/im.exec(head)?.[1] ?? '0'
  return end + endOfHead.length + Number(length)
}

export function readAnswer(text: string): TestAnswer {
  const [head = '', body = ''] = text.split(endOfHead, 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((each) => each.split(/: (.*)/, 2) as [string, string]))
  const status = Number(statusLine.split(' ')[1])
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) }
}

import { BadRequestError } from '../errors/contract.ts'
import { type FileRange, readRange } from './file-range.ts'
import { type PartHead, readPartHead } from './part-head.ts'

/** One part of a multipart body: its head, and where its content is in the file. */
export interface Part extends PartHead {
  readonly range: FileRange
}

// Names, a file's name and a type fit. A longer head is refused.
const longestHead = 2048

/**
 * The parts of a multipart body (RFC 2046, section 5.1.1; RFC 7578), in their order. A body that
 * could be read in two ways is refused: nothing may be before the first delimiter or after the last
 * one, and there is no padding and no other line ending.
 */
export async function* multipartParts(body: FileRange, boundary: string): AsyncGenerator<Part> {
  const { file, end } = body
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const bytes = (start: number, length: number) =>
    readRange({ file, start, end: Math.min(start + length, end) })

  // The line break before the first delimiter is the start of the body.
  const first = delimiter.subarray(2)
  if (!(await bytes(0, first.length)).equals(first)) throw malformed()
  let at = first.length
  while (!isLast(await bytes(at, 5))) {
    const head = await bytes(at, longestHead)
    const headEnd = head.indexOf('\r\n\r\n')
    if (head[0] !== 13 || head[1] !== 10 || headEnd < 2) throw malformed()
    const start = at + headEnd + 4
    const found = await findBytes({ file, start, end }, delimiter)
    if (found === null) throw malformed()
    yield { ...readPartHead(head.subarray(2, headEnd)), range: { file, start, end: found } }
    at = found + delimiter.length
  }
}

/**
 * After the last delimiter comes the end of the body, or the line break that most senders put
 * there.
 */
function isLast(following: Buffer) {
  const text = following.toString('latin1')
  return text === '--' || text === '--\r\n'
}

const windowBytes = 65_536

/**
 * Where these bytes come first. Windows overlap, because the bytes may lie across the end of one.
 */
async function findBytes({ file, start, end }: FileRange, wanted: Buffer) {
  for (let at = start; at < end; at += windowBytes) {
    const window = { file, start: at, end: Math.min(at + windowBytes + wanted.length - 1, end) }
    const index = (await readRange(window)).indexOf(wanted)
    if (index !== -1) return at + index
  }
  return null
}

function malformed() {
  return new BadRequestError({ message: 'The body is not a valid multipart body.' })
}

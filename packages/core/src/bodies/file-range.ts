import type { FileHandle } from 'node:fs/promises'
import type { SpooledBody } from '../request/request.ts'

/** Bytes in a file, from `start` up to but not including `end`. */
export interface FileRange {
  readonly file: FileHandle
  readonly start: number
  readonly end: number
}

// The size that Node also reads from a file at a time.
const pieceBytes = 65_536

export function wholeOf({ file, size }: SpooledBody): FileRange {
  return { file, start: 0, end: size }
}

/** Reads it piece by piece, as fast as the pieces are consumed. */
export function streamOf(range: FileRange): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reading = pieces(range)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reading.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** Reads all of it into memory. */
export async function readRange(range: FileRange): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const piece of pieces(range)) read.push(piece)
  return Buffer.concat(read)
}

async function* pieces({ file, start, end }: FileRange) {
  for (let at = start; at < end; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, end - at))
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw new Error('The file of the body is shorter than the body.')
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

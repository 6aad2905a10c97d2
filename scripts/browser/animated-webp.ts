interface Frame {
  /** A still WebP, as a browser's canvas writes it. */
  picture: Uint8Array
  /** Where it is on the canvas. Both are even. */
  x: number
  y: number
  width: number
  height: number
  millis: number
}

/**
 * Puts still pictures into one animated WebP that repeats for ever
 * (https://developers.google.com/speed/webp/docs/riff_container). Each covers a part of the canvas,
 * and what it doesn't cover stays.
 */
export function animatedWebp(size: { width: number; height: number }, frames: readonly Frame[]) {
  return chunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('WEBP'),
      chunk(
        'VP8X',
        Buffer.concat([bytes(4, isAnimated), bytes(3, size.width - 1), bytes(3, size.height - 1)]),
      ),
      chunk('ANIM', Buffer.concat([bytes(4, white), bytes(2, forEver)])),
      ...frames.map(frameChunk),
    ]),
  )
}

const isAnimated = 0b10
const white = 0xffffffff
const forEver = 0
/** It replaces what is below it, and stays. */
const opaque = 0b10

function frameChunk({ picture, x, y, width, height, millis }: Frame) {
  if (x % 2 !== 0 || y % 2 !== 0) throw new Error('A frame begins at an even pixel.')
  const numbers = [x / 2, y / 2, width - 1, height - 1, millis].map((each) => bytes(3, each))
  return chunk('ANMF', Buffer.concat([...numbers, bytes(1, opaque), ...imagesOf(picture)]))
}

/** Without what describes the file, for example its colour profile. */
function imagesOf(picture: Uint8Array) {
  return chunksOf(picture)
    .filter(({ name }) => name === 'VP8 ' || name === 'VP8L' || name === 'ALPH')
    .map(({ name, payload }) => chunk(name, payload))
}

/** The parts of a WebP file, by their names. */
export function chunksOf(file: Uint8Array) {
  const all = Buffer.from(file)
  const found: { name: string; payload: Buffer }[] = []
  for (let at = 12; at < all.length; ) {
    const length = all.readUInt32LE(at + 4)
    const payload = all.subarray(at + 8, at + 8 + length)
    found.push({ name: all.toString('latin1', at, at + 4), payload })
    at += 8 + length + (length % 2)
  }
  return found
}

/** Its length is without the byte that makes it even. */
function chunk(name: string, payload: Buffer) {
  const padding = Buffer.alloc(payload.length % 2)
  return Buffer.concat([Buffer.from(name), bytes(4, payload.length), payload, padding])
}

function bytes(count: number, number: number) {
  const written = Buffer.alloc(count)
  written.writeUIntLE(number, 0, count)
  return written
}

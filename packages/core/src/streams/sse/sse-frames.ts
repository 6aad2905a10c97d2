import type { Frame, StreamForm } from '../delivery/frame.ts'

/** `id`, `event` and `data` of each frame. JSON has no line breaks of its own. */
function sseText(frames: readonly Frame[], epoch: string) {
  let text = ''
  for (const { seq, name, json } of frames) {
    text += `id: ${epoch}-${seq}\nevent: ${name}\ndata: ${json}\n\n`
  }
  return text
}

/** A frame that tells of the stream itself, and that is not a step in its history. */
export function controlText(event: string, content: unknown) {
  return `event: ${event}\ndata: ${JSON.stringify(content)}\n\n`
}

/** One chunk of a chunked body. */
export function chunk(text: string) {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

let lastPing = { now: new Date(0), chunked: Buffer.alloc(0), plain: Buffer.alloc(0) }

/** The same bytes for all streams that are pinged at one moment. */
export function pingBytes(now: Date, isChunked: boolean) {
  if (lastPing.now !== now) {
    const text = controlText('ping', { timestamp: now.toISOString() })
    lastPing = { now, chunked: chunk(text), plain: Buffer.from(text) }
  }
  return isChunked ? lastPing.chunked : lastPing.plain
}

/** HTTP/1.1 has chunks; what still speaks HTTP/1.0, as nginx may to the server behind it, would take them for data. */
export function sseForm(epoch: string, isChunked: boolean): StreamForm {
  const bytesOf = isChunked ? chunk : (text: string) => Buffer.from(text)
  return {
    name: isChunked ? 'chunked' : 'plain',
    encode: (frames) => bytesOf(sseText(frames, epoch)),
  }
}

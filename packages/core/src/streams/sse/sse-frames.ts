import { type Frame, idOf, type StreamForm } from '../delivery/frame.ts'

/** `id`, `event` and `data` of each frame. JSON has no line breaks of its own. */
function sseText(frames: readonly Frame[]) {
  let text = ''
  for (const frame of frames) {
    text += `id: ${idOf(frame)}\nevent: ${frame.wireName}\ndata: ${frame.json}\n\n`
  }
  return text
}

/** A frame about the stream itself; with an id, the place that the stream has reached. */
export function controlText(event: string, content: unknown, id?: string) {
  return frameText(event, JSON.stringify(content), id)
}

function frameText(event: string, json: string, id?: string) {
  const reached = id === undefined ? '' : `id: ${id}\n`
  return `${reached}event: ${event}\ndata: ${json}\n\n`
}

/** One chunk of a chunked body. */
export function chunk(text: string) {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

interface Ping {
  readonly now: Date
  readonly id: string | undefined
  readonly chunked: Buffer
  readonly plain: Buffer
}

let lastPing: Ping | undefined

/** The same bytes for all streams that are pinged at one moment. */
export function pingBytes(now: Date, id: string | undefined, isChunked: boolean) {
  if (lastPing?.now !== now || lastPing.id !== id) {
    const text = controlText('ping', { timestamp: now.toISOString() }, id)
    lastPing = { now, id, chunked: chunk(text), plain: Buffer.from(text) }
  }
  return isChunked ? lastPing.chunked : lastPing.plain
}

/**
 * HTTP/1.1 has chunks. A client with HTTP/1.0, such as nginx by default, would take them for data.
 */
export function sseForm(isChunked: boolean): StreamForm {
  const bytesOf = isChunked ? chunk : (text: string) => Buffer.from(text)
  return {
    name: isChunked ? 'chunked' : 'plain',
    encode: (frames) => bytesOf(sseText(frames)),
    encodeAside: (event, json) => bytesOf(frameText(event, json)),
  }
}

import { idOf, type StreamForm } from '../delivery/frame.ts'

const finalText = 0x81

/**
 * The bytes of a text frame of a server: they are the same for all clients, because servers do not
 * mask.
 */
export function textFrame(text: string) {
  const payload = Buffer.from(text)
  return Buffer.concat([header(payload.length), payload])
}

/**
 * RFC 6455, 5.2: up to 125, the length is in the second byte; otherwise in two or in eight more.
 */
function header(length: number) {
  if (length < 126) return Buffer.from([finalText, length])
  const isShort = length < 65_536
  const bytes = Buffer.alloc(isShort ? 4 : 10)
  bytes[0] = finalText
  bytes[1] = isShort ? 126 : 127
  if (isShort) bytes.writeUInt16BE(length, 2)
  else bytes.writeBigUInt64BE(BigInt(length), 2)
  return bytes
}

const pingFrame = Buffer.from([0x89, 0])

interface Ping {
  readonly now: Date
  readonly id: string | undefined
  readonly bytes: Buffer
}

let lastPing: Ping | undefined

/**
 * A ping of the protocol, which browsers answer and hide, and one that their pages see. The same
 * bytes for all.
 */
export function pingFrames(now: Date, id?: string) {
  if (lastPing?.now !== now || lastPing.id !== id) {
    const shown = jsonFrame('ping', { timestamp: now.toISOString() }, id)
    lastPing = { now, id, bytes: Buffer.concat([pingFrame, shown]) }
  }
  return lastPing.bytes
}

/** With an id, the place that the stream has reached. */
export function jsonFrame(type: string, data: unknown, id?: string) {
  return frameOf(type, JSON.stringify(data) ?? 'null', id)
}

function frameOf(type: string, json: string, id: string | undefined) {
  const reached = id === undefined ? '' : `,"id":${JSON.stringify(id)}`
  return textFrame(`{"type":${JSON.stringify(type)},"data":${json}${reached}}`)
}

/** Only a router with a history can continue from the ids. */
export function socketForm(hasHistory: boolean): StreamForm {
  return {
    name: 'socket',
    encode: (frames) =>
      Buffer.concat(
        frames.map((frame) =>
          frameOf(frame.wireName, frame.json, hasHistory ? idOf(frame) : undefined),
        ),
      ),
    encodeAside: (type, json) => frameOf(type, json, undefined),
  }
}

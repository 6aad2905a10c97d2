import type { Frame, StreamForm } from '../delivery/frame.ts'

const finalText = 0x81

/** The bytes of a text frame that a server sends: they are the same for all clients, since servers do not mask. */
export function textFrame(text: string) {
  const payload = Buffer.from(text)
  return Buffer.concat([header(payload.length), payload])
}

/** RFC 6455, 5.2: up to 125 bytes the length stands in the second byte, then in two or in eight more. */
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

let lastPing = { now: new Date(0), bytes: Buffer.alloc(0) }

/** A ping of the protocol, which browsers answer and hide, and one that their pages see. The same bytes for all. */
export function pingFrames(now: Date) {
  if (lastPing.now !== now) {
    const shown = jsonFrame('ping', { timestamp: now.toISOString() })
    lastPing = { now, bytes: Buffer.concat([pingFrame, shown]) }
  }
  return lastPing.bytes
}

export function jsonFrame(type: string, data: unknown) {
  return textFrame(`{"type":${JSON.stringify(type)},"data":${JSON.stringify(data) ?? 'null'}}`)
}

export const socketForm: StreamForm = {
  name: 'socket',
  encode: (frames) => Buffer.concat(frames.map(frameBytes)),
}

function frameBytes({ name, json }: Frame) {
  return textFrame(`{"type":${JSON.stringify(name)},"data":${json}}`)
}

import { hrtime } from 'node:process'

/** Only a payload contains this byte, and only once, so frames are counted without parsing. */
export const marker = 0x40

const digits = 16
// The JSON of both members is 200 bytes.
const fill = 'x'.repeat(164)

/** The machine's monotonic clock, which is the same for all processes. */
export function nowMicros() {
  const [seconds, nanos] = hrtime()
  return seconds * 1_000_000 + Math.floor(nanos / 1000)
}

export interface Payload {
  at: string
  fill: string
}

/** The emitted payload: 200 bytes of JSON, with a timestamp. */
export function stampedPayload(): Payload {
  const stamp = String(nowMicros()).padStart(digits, '0')
  return { at: `@${stamp}`, fill }
}

/** When the frame with this marker was emitted; NaN if its timestamp is in the next read. */
export function stampAt(bytes: Buffer, at: number, size: number) {
  const end = at + 1 + digits
  return end > size ? Number.NaN : Number(bytes.toString('latin1', at + 1, end))
}

export const hasPayload = (text: string) => /\{"at":"@\d{16}","fill":"x{164}"\}/.test(text)

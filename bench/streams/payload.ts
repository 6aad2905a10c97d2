import { hrtime } from 'node:process'

/** Nothing but a payload has this byte, and a payload has it once: frames are counted without being parsed. */
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

/** What is emitted: 200 bytes of JSON, stamped. */
export function stampedPayload(): Payload {
  const stamp = String(nowMicros()).padStart(digits, '0')
  return { at: `@${stamp}`, fill }
}

/** When the frame was emitted whose marker is here; NaN when its stamp is in the next read. */
export function stampAt(bytes: Buffer, at: number, size: number) {
  const end = at + 1 + digits
  return end > size ? Number.NaN : Number(bytes.toString('latin1', at + 1, end))
}

export const hasPayload = (text: string) => /\{"at":"@\d{16}","fill":"x{164}"\}/.test(text)

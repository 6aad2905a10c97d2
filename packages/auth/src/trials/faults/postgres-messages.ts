/** One message of PostgreSQL's protocol. `kind` is its first byte; what opens a connection has none. */
export interface Message {
  readonly kind: string
  readonly bytes: Buffer
}

const lengthBytes = 4
const requests = { 80877103: 'ssl', 80877104: 'gss', 80877102: 'cancel' } as const

/** Cuts bytes into whole messages, however they arrive. What is not whole yet waits for the rest. */
export function createFraming(from: 'client' | 'backend') {
  let rest = Buffer.alloc(0)
  let isOpening = from === 'client'

  function next(): Message | null {
    const at = isOpening ? 0 : 1
    if (rest.length < at + lengthBytes) return null
    const end = at + rest.readUInt32BE(at)
    if (rest.length < end) return null
    const bytes = rest.subarray(0, end)
    rest = rest.subarray(end)
    return isOpening ? opening(bytes) : { kind: String.fromCharCode(bytes[0] ?? 0), bytes }
  }

  /** Of whoever asks for encryption first, another one follows. */
  function opening(bytes: Buffer): Message {
    const kind: string =
      requests[bytes.readUInt32BE(lengthBytes) as keyof typeof requests] ?? 'start'
    isOpening = kind !== 'start'
    return { kind, bytes }
  }

  return function* messages(bytes: Buffer): Generator<Message> {
    rest = Buffer.concat([rest, bytes])
    for (let message = next(); message; message = next()) yield message
  }
}

/** What PostgreSQL says of a command that is done: `COMMIT`, `INSERT 0 1`. */
export function commandTag({ kind, bytes }: Message) {
  return kind === 'C' ? bytes.toString('latin1', 1 + lengthBytes, bytes.length - 1) : ''
}

/** Whether the backend waits for the next statement outside a transaction. */
export const isIdle = ({ kind, bytes }: Message) => kind === 'Z' && bytes.at(-1) === 73

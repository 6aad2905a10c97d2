import type { IncomingMessage } from 'node:http'
import { BadRequestError, PayloadTooLargeError } from '../errors/contract.ts'
import type { ArrivingBody } from '../infrastructure/infrastructure.ts'
import type { RawContext } from './raw-context.ts'

/** The received bytes, read once. The check of a signature needs them, and so does the schema. */
export function readBody(raw: RawContext): Promise<Buffer> {
  if (raw.isSpooled) throw new Error('The body of this route is in a file: read it with c.data().')
  raw.body ??= collect(raw)
  return raw.body
}

const nextTurn = Promise.resolve()

async function collect(raw: RawContext): Promise<Buffer> {
  const { incoming, maxBodyBytes } = raw
  const announcedBytes = Number(incoming.headers['content-length'])
  if (announcedBytes > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
  // It is set if another reader takes the chunks, too.
  if (incoming.readableFlowing === null) {
    // After this turn, the parser has handed over the whole packet that contained the head.
    await nextTurn
    if (incoming.readableLength === announcedBytes && !incoming.destroyed)
      return takeWhole(raw, announcedBytes)
  }
  return receive(raw)
}

/**
 * A small body comes with its head. Listening for its parts would cost more than the rest of the
 * reading.
 */
function takeWhole(raw: RawContext, announcedBytes: number) {
  const { incoming, outgoing, server } = raw
  let refusal: Error | undefined
  const refuse = (error: Error) => void (refusal = error)
  const body: ArrivingBody = { heldBytes: 0, refuse }
  const bytes = everythingIn(incoming, announcedBytes)
  // The stream ends only if it is read to the end.
  incoming.resume()
  raw.hasWholeBody = true
  server.bodies.add(body, bytes)
  server.bodies.finish(body)
  if (refusal) throw refusal
  // The handler that has read it holds it until then.
  outgoing.on('close', () => server.bodies.drop(body))
  return bytes
}

/**
 * Each call of `read()` gives one of the parts that have arrived. Usually there is one, and a
 * second call would cost time.
 */
function everythingIn(incoming: IncomingMessage, bytes: number) {
  const first = incoming.read() as Buffer | null
  if (first?.length === bytes) return first
  const parts = first ? [first] : []
  for (let part = incoming.read(); part !== null; part = incoming.read()) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function receive({ incoming, outgoing, maxBodyBytes, server }: RawContext): Promise<Buffer> {
  const { bodies } = server
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    let isOver = false
    // The first one to settle counts. The listeners are dropped with the request.
    const refuse = (error: Error) => {
      isOver = true
      chunks = []
      bodies.drop(body)
      reject(error)
    }
    const body: ArrivingBody = { heldBytes: 0, refuse }
    const cut = () => refuse(cutOff())
    if (incoming.destroyed) cut()
    incoming
      .on('data', (chunk: Buffer) => {
        if (isOver) return
        size += chunk.length
        if (size > maxBodyBytes) return refuse(bodyTooLarge(maxBodyBytes))
        chunks.push(chunk)
        bodies.add(body, chunk)
      })
      .on('end', () => {
        bodies.finish(body)
        resolve(joined(chunks))
      })
      .on('error', cut)
      .on('close', () => {
        if (!incoming.complete) cut()
      })
    // The handler that has read it holds it until then.
    outgoing.on('close', () => {
      isOver = true
      chunks = []
      bodies.drop(body)
    })
  })
}

export function bodyTooLarge(limitBytes: number) {
  return new PayloadTooLargeError({ message: `The body is over ${limitBytes} bytes.`, limitBytes })
}

export function cutOff() {
  return new BadRequestError({ message: 'The body was cut off. Send it again.' })
}

function joined(chunks: Buffer[]) {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

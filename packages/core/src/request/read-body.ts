import { BadRequestError, PayloadTooLargeError } from '../errors/contract.ts'
import type { ArrivingBody } from '../infrastructure/infrastructure.ts'
import type { RawContext } from './raw-context.ts'

/** The received bytes, read once for whoever asks first: a signature over them, or the schema. */
export function readBody(raw: RawContext): Promise<Buffer> {
  if (raw.isSpooled) throw new Error('The body of this route is in a file: read it by c.data().')
  raw.body ??= collect(raw)
  return raw.body
}

function collect({ incoming, outgoing, maxBodyBytes, server }: RawContext): Promise<Buffer> {
  const tooLarge = () => bodyTooLarge(maxBodyBytes)
  if (Number(incoming.headers['content-length']) > maxBodyBytes) return Promise.reject(tooLarge())
  const { bodies } = server
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    let isOver = false
    // The first one to settle counts; the listeners go with the request.
    const refuse = (error: Error) => {
      isOver = true
      chunks = []
      bodies.drop(body)
      reject(error)
    }
    const body: ArrivingBody = { heldBytes: 0, refuse }
    const cut = () => refuse(cutOff())
    incoming
      .on('data', (chunk: Buffer) => {
        if (isOver) return
        size += chunk.length
        if (size > maxBodyBytes) return refuse(tooLarge())
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
  return new BadRequestError({ message: 'The body was cut off.' })
}

function joined(chunks: Buffer[]) {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

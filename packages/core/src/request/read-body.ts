import { BadRequestError, PayloadTooLargeError } from '../errors/errors.ts'
import type { ArrivingBody } from './bodies-under-way.ts'
import type { RawContext } from './raw-context.ts'

/** The received bytes, read once for whoever asks first: a signature over them, or the schema. */
export function readBody(raw: RawContext): Promise<Buffer> {
  raw.body ??= collect(raw)
  return raw.body
}

function collect({ incoming, outgoing, maxBodyBytes, server }: RawContext): Promise<Buffer> {
  const tooLarge = () =>
    new PayloadTooLargeError({
      message: `The body is over ${maxBodyBytes} bytes.`,
      limitBytes: maxBodyBytes,
    })
  if (Number(incoming.headers['content-length']) > maxBodyBytes) return Promise.reject(tooLarge())
  const { bodies } = server
  return new Promise((resolve, reject) => {
    let isOver = false
    // The first one to settle counts; the listeners go with the request.
    const refuse = (error: Error) => {
      isOver = true
      reject(error)
    }
    const body: ArrivingBody = { chunks: [], size: 0, heldBytes: 0, refuse }
    const cut = () => {
      refuse(new BadRequestError({ message: 'The body was cut off.' }))
      bodies.drop(body)
    }
    incoming
      .on('data', (chunk: Buffer) => {
        if (isOver) return
        if (body.size + chunk.length <= maxBodyBytes) return bodies.add(body, chunk)
        refuse(tooLarge())
        bodies.drop(body)
      })
      .on('end', () => {
        bodies.finish(body)
        resolve(joined(body.chunks))
      })
      .on('error', cut)
      .on('close', () => {
        if (!incoming.complete) cut()
      })
    // The handler that has read it holds it until then.
    outgoing.on('close', () => {
      isOver = true
      bodies.drop(body)
    })
  })
}

function joined(chunks: Buffer[]) {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

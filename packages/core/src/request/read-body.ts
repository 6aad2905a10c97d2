import type { IncomingMessage } from 'node:http'
import { BadRequestError, PayloadTooLargeError } from '../errors/errors.ts'
import type { RawContext } from './raw-context.ts'

/** The received bytes, read once for whoever asks first: a signature over them, or the schema. */
export function readBody(raw: RawContext): Promise<Buffer> {
  raw.body ??= collect(raw.incoming, raw.server.bodyLimitBytes)
  return raw.body
}

function collect(incoming: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new PayloadTooLargeError({ message: `The body is over ${limitBytes} bytes.`, limitBytes })
  if (Number(incoming.headers['content-length']) > limitBytes) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const cut = () => reject(new BadRequestError({ message: 'The body was cut off.' }))
    // The first one to settle counts; the listeners go with the request.
    incoming
      .on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= limitBytes) chunks.push(chunk)
        else reject(tooLarge())
      })
      .on('end', () => resolve(joined(chunks)))
      .on('error', cut)
      .on('close', () => {
        if (!incoming.complete) cut()
      })
  })
}

function joined(chunks: Buffer[]) {
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

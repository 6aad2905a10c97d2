import { ValidationError } from '@svc/core'

const metadataBytes = 8192

/** What an application hangs on a person is stored as it is, so it must not be of any size. */
export function refuseLargeMetadata(metadata: object | null | undefined) {
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytes) return
  const message = `Give at most ${metadataBytes} bytes of JSON.`
  throw new ValidationError({ fields: [{ path: 'body.metadata', message }] })
}

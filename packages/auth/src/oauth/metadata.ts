import { ValidationError } from '@svc/core'

// It travels in an address, through browsers and hosts that cut off what is too long for them.
const metadataBytes = 2048

export function refuseLargeMetadata(metadata: object | null) {
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytes) return
  const message = `Give at most ${metadataBytes} bytes of JSON.`
  throw new ValidationError({ fields: [{ path: 'body.metadata', message }] })
}

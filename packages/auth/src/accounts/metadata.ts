import { ValidationError } from '@svc/core'

/** How much of it is stored or passed on, in bytes of JSON. */
export const metadataBytes = {
  /** Of a profile, and of an invitation. */
  kept: 8192,
  /** Of a registration: it goes to a hook and an event. */
  registration: 4096,
  /** Of a sign-in with a provider: it is sealed into the state, which is part of a URL. */
  state: 2048,
}

/** The server does not look into the metadata of an application, so its size must be limited. */
export function refuseLargeMetadata(
  metadata: object | null | undefined,
  kind: keyof typeof metadataBytes,
) {
  const most = metadataBytes[kind]
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= most) return
  const message = `Give at most ${most} bytes of JSON.`
  throw new ValidationError({ fields: [{ path: 'body.metadata', message }] })
}

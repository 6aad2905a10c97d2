import { ValidationError } from '@svc/core'

/** How much of it is kept, or handed on, in bytes of JSON. */
export const metadataBytes = {
  /** Of a profile, and of an invitation. */
  kept: 8192,
  /** Of a registration: it goes to a hook and an event. */
  registration: 4096,
  /** Of a sign-in with a provider: the state that it is sealed into is a part of an address. */
  state: 2048,
}

/** What an application hangs on a person is taken as it is, so it must not be of any size. */
export function refuseLargeMetadata(
  metadata: object | null | undefined,
  kind: keyof typeof metadataBytes,
) {
  const most = metadataBytes[kind]
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= most) return
  const message = `Give at most ${most} bytes of JSON.`
  throw new ValidationError({ fields: [{ path: 'body.metadata', message }] })
}

import { type BodiesUnderWay, RawBody, type RouteMapEntry } from '@svc/core/client'
import { readBlob } from './read-input.ts'

export type RawBound = NonNullable<RouteMapEntry['rawBody']>

/** Reads the body of one call, which isn't JSON. */
export interface RawBodyReader {
  /** The same one each time. It is read from the browser when something first asks for it. */
  readonly read: () => Promise<RawBody>
  /** The call is over. */
  readonly release: () => void
}

/** The body counts among all that this process holds, from its arrival until its call is over. */
export function rawBodyReader(
  request: Request,
  { maxBytes }: RawBound,
  bodies: BodiesUnderWay,
): RawBodyReader {
  const ended = new AbortController()
  const held = { heldBytes: 0, refuse: (error: Error) => ended.abort(error) }
  const read = async () => {
    const onChunk = (chunk: Uint8Array) => bodies.add(held, chunk)
    const blob = await readBlob(request, { maxBytes, onChunk, signal: ended.signal })
    bodies.finish(held)
    return new RawBody(blob, request.headers.get('content-type') ?? '')
  }
  let reading: Promise<RawBody> | undefined
  return { read: () => (reading ??= read()), release: () => bodies.drop(held) }
}

/** Carries the other parts of a call whose body isn't JSON, through the web proxy. */
export const inputHeader = 'x-svc-input'

/** A body that isn't JSON, ready to be sent, and to be sent again. */
export class RawBody {
  readonly blob: Blob
  /** The whole `Content-Type`: that of a form has a boundary, whose case a Blob would not keep. */
  readonly type: string

  constructor(blob: Blob, type: string) {
    this.blob = blob
    this.type = type || 'application/octet-stream'
  }
}

/** Makes one of a Blob, bytes, a stream or a form. A stream is read to its end: what is signed is hashed first. */
export async function rawBodyOf(body: unknown): Promise<RawBody> {
  if (body instanceof RawBody) return body
  if (body instanceof Blob) return new RawBody(body, body.type)
  const carrier = new Response(body as BodyInit | undefined) // what the route's type lets a caller send
  return new RawBody(await carrier.blob(), carrier.headers.get('content-type') ?? '')
}

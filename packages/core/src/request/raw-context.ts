import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { Answer, type AnswerHeaders, TextAnswer } from './answer.ts'
import { parseQuery } from './query.ts'
import { requestIdOf } from './request-id.ts'

/** The request as it was received. No part of it is validated. */
class RawRequest {
  readonly #incoming: IncomingMessage
  readonly #parameters: Readonly<Record<string, string>>

  constructor(incoming: IncomingMessage, parameters: Readonly<Record<string, string>>) {
    this.#incoming = incoming
    this.#parameters = parameters
  }

  get method() {
    return this.#incoming.method ?? 'GET'
  }

  /** Path and query exactly as on the request line. */
  get target() {
    return this.#incoming.url ?? '/'
  }

  /** A header's value; several values of one name are joined with a comma. */
  header(name: string) {
    const value = this.#incoming.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }

  param(): Readonly<Record<string, string>> {
    return this.#parameters
  }

  query() {
    return parseQuery(this.target)
  }
}

/** A whole body in a temporary file, which no longer has a name. */
export interface SpooledBody {
  readonly file: FileHandle
  readonly size: number
  readonly sha256: Buffer
}

/** One request and its answer, as middleware sees it and as handlers find it under `c.raw`. */
export class RawContext {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly server: Infrastructure
  /** The request whose handler made this call of an operation; unset in what a client has sent. */
  readonly outer: RawContext | undefined
  /** Set once the route has answered. Middleware reads it after `next()`. */
  answer: Answer | Response | undefined = undefined
  /** Set at the first read of the body. Its bytes can be read from the socket only once. */
  body: Promise<Buffer> | undefined = undefined
  /** Set once the last byte of the body has been read. */
  hasWholeBody = false
  /** The body goes to a file, because it may be too large for the memory. */
  isSpooled = false
  /** The same as `body`, if it goes to a file. */
  spooled: Promise<SpooledBody> | undefined = undefined
  /** Set at the first call that needs the SHA-256 of the body. */
  bodyHash: Promise<Buffer> | undefined = undefined
  /** The largest body that is read. The value of the route wins over that of the server. */
  maxBodyBytes: number
  /** The browser's address, if the web proxy has signed for it. */
  vouchedAddress: string | undefined = undefined
  /**
   * The id of the caller, the same in every request of theirs. Set by the middleware that
   * authenticates.
   */
  caller: string | undefined = undefined
  /**
   * The id of the part of the application that the request is in, such as an organization. Set by a middleware that has
   * found out that the caller may be there.
   */
  tenant: string | undefined = undefined
  /**
   * Settings of PostgreSQL that every statement of the handler has, by `c.db`. Set by a middleware.
   */
  databaseSettings: Readonly<Record<string, string>> | undefined = undefined
  readonly #parameters: Readonly<Record<string, string>>
  #req: RawRequest | undefined = undefined
  #headers: AnswerHeaders | undefined = undefined
  // Key, value, key, value: a request has only a few, and a map takes three times the memory.
  #values: unknown[] | undefined = undefined
  #requestId: string | undefined = undefined

  constructor(
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
    server: Infrastructure,
    parameters: Readonly<Record<string, string>>,
    outer?: RawContext,
  ) {
    this.incoming = incoming
    this.outgoing = outgoing
    this.server = server
    this.outer = outer
    this.maxBodyBytes = server.bodyLimitBytes
    this.#parameters = parameters
  }

  get req() {
    this.#req ??= new RawRequest(this.incoming, this.#parameters)
    return this.#req
  }

  /**
   * The whole request has arrived. For a small body, Node knows that only after the body can be
   * read.
   */
  get isReceived() {
    return this.incoming.complete || this.hasWholeBody
  }

  get requestId() {
    this.#requestId ??= requestIdOf(this.incoming)
    return this.#requestId
  }

  /** The headers set so far, by middleware and by the handler. They leave with the answer. */
  get headers(): AnswerHeaders | undefined {
    return this.#headers
  }

  /** A value that middleware has set for this request. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the reader knows what was set
  get<Value = unknown>(key: string): Value | undefined {
    const values = this.#values
    const at = placeOf(key, values)
    return (at < 0 ? undefined : values?.[at + 1]) as Value | undefined
  }

  set(key: string, value: unknown) {
    this.#values ??= []
    const at = placeOf(key, this.#values)
    if (at < 0) this.#values.push(key, value)
    else this.#values[at + 1] = value
  }

  /** Sets a header of the answer, or removes it if there is no value. */
  header(name: string, value?: string, { append = false } = {}) {
    this.#headers ??= {}
    const headers = this.#headers
    const key = name.toLowerCase()
    const before = headers[key]
    if (value === undefined) delete headers[key]
    else headers[key] = append && before ? [before, value].flat() : value
  }

  json<Body>(data: Body, status = 200, headers?: AnswerHeaders): Answer<Body> {
    return new Answer(status, data, headers)
  }

  text(text: string, status = 200, headers?: AnswerHeaders) {
    return new TextAnswer(status, text, 'text/plain; charset=utf-8', headers)
  }

  html(page: string, status = 200, headers?: AnswerHeaders) {
    return new TextAnswer(status, page, 'text/html; charset=utf-8', headers)
  }

  redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 302) {
    return new TextAnswer(status, '', 'text/plain; charset=utf-8', { location })
  }
}

/** The index of a key in a list of keys and values; -1 if it is missing. */
function placeOf(key: string, pairs: readonly unknown[] = []) {
  for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === key) return at
  return -1
}

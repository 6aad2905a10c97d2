/** Header values by lower-case name. Several values are sent as several headers. */
export type AnswerHeaders = Record<string, string | string[]>

/** A handler's answer if a plain value is not enough. `Body` is the part that a caller gets. */
export class Answer<Body = unknown> {
  declare readonly '~body': Body
  readonly status: number
  readonly value: unknown
  readonly headers: AnswerHeaders | undefined

  constructor(status: number, value: unknown, headers?: AnswerHeaders) {
    this.status = status
    this.value = value
    this.headers = headers
  }

  /** The same answer with another value. */
  with(value: unknown): Answer {
    return new Answer(this.status, value, this.headers)
  }

  /**
   * The bytes to send; null for none. If a handler returns nothing, the answer is JSON's `null`.
   */
  encode(): string | null {
    if (this.status === 204 || this.status === 304) return null
    return JSON.stringify(this.value) ?? 'null'
  }

  get contentType() {
    return 'application/json'
  }
}

/** An answer that is already text, such as a page. */
export class TextAnswer extends Answer {
  readonly #type: string

  constructor(status: number, text: string, type: string, headers?: AnswerHeaders) {
    super(status, text, headers)
    this.#type = type
  }

  /** Text has no members to leave out. */
  override with() {
    return this
  }

  override encode() {
    return this.value as string
  }

  override get contentType() {
    return this.#type
  }
}

/** The body that a caller gets for what a handler returned. */
export type BodyOf<Returned> =
  Returned extends Answer<infer Body> ? Body : Returned extends Response ? unknown : Returned

/** The body that `c.success(data)` sends. */
export interface Success<Data> {
  success: true
  data: Data
}

export interface SuccessWithMeta<Data, Meta extends object> extends Success<Data> {
  meta: Meta
}

/** Which page of a numbered list it is, and how many pages and items there are. */
export interface Pagination {
  page: number
  limit: number
  total: number
  totalPages: number
}

/** The body that `c.paginated(…)` sends. */
export interface Page<Item> {
  success: true
  data: Item[]
  meta: { pagination: Pagination }
}

/**
 * Without items (`total` 0) there are no pages; with a `limit` of 0 or less, there are none either
 * (R-018).
 */
export function pagination(page: number, limit: number, total: number): Pagination {
  return { page, limit, total, totalPages: limit > 0 ? Math.ceil(total / limit) : 0 }
}

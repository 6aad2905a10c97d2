/**
 * The fields of an error. All but `message` and `cause` are public: they go into the answer's body.
 */
export type ErrorFacts<Fields extends object = object> = Fields & {
  message?: string
  cause?: unknown
}

/**
 * A refusal: a class with a literal `name` (the wire's `error.code`) and `status`, thrown where the rule is.
 * A refusal that must look the same in every case takes no arguments.
 */
export abstract class HttpError<Fields extends object = object> extends Error {
  /** What the answer says where the error was given no message: what is wrong, and then what to do. */
  declare static readonly defaultMessage?: string

  abstract override readonly name: string
  abstract readonly status: number
  readonly #fields: object

  constructor({ message, cause, ...fields }: ErrorFacts<Fields> = {} as ErrorFacts<Fields>) {
    super(message, cause === undefined ? undefined : { cause })
    this.#fields = fields
    Object.assign(this, fields)
  }

  /**
   * The scheme in the `WWW-Authenticate` of a 401, which every 401 has (RFC 9110, section 15.5.2).
   * For `Basic`, a browser asks its user for a password; for others, it doesn't.
   */
  get authScheme(): string {
    return 'Bearer'
  }

  /** The whole body, if another protocol prescribes its form. */
  wireBody(_requestId: string): object | undefined {
    return undefined
  }

  /** The fields of the answer's body beside the message. */
  get publicFields(): object {
    return this.#fields
  }
}

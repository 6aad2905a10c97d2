/** What an error says of itself. Every field but `message` and `cause` is public: it goes into the answer's body. */
export type ErrorFacts<Fields extends object = object> = Fields & {
  message?: string
  cause?: unknown
}

/**
 * A refusal: a class with a literal `name` (the wire's `error.code`) and `status`, thrown where the rule is.
 * A refusal that must look the same in every case takes no arguments.
 */
export abstract class HttpError<Fields extends object = object> extends Error {
  abstract override readonly name: string
  abstract readonly status: number
  readonly #fields: object

  constructor({ message, cause, ...fields }: ErrorFacts<Fields> = {} as ErrorFacts<Fields>) {
    super(message, cause === undefined ? undefined : { cause })
    this.#fields = fields
    Object.assign(this, fields)
  }

  /**
   * The scheme that a 401 names in `WWW-Authenticate`, which every one has (RFC 9110, section 15.5.2). A browser asks
   * its user for a password where it is `Basic`, and says nothing for another.
   */
  get authScheme(): string {
    return 'Bearer'
  }

  /** The whole body, where a protocol that is not ours prescribes its form. */
  wireBody(_requestId: string): object | undefined {
    return undefined
  }

  /** What the answer's body carries beside the message. */
  get publicFields(): object {
    return this.#fields
  }
}

/** `DeviceAuthNotFoundError` → `Device auth not found`, for errors that were given no message. */
export function messageOf(error: HttpError) {
  if (error.message) return error.message
  const words = wordsOf(error.name)
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** `DeviceAuthNotFoundError` → `Device Auth Not Found`. */
export function wordsOf(name: string) {
  return name.replace(/Error$/, '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
}

import { HttpError } from '../errors/errors.ts'
import type { Api, CallOptions } from './api.ts'
import { inLine } from './kept-place.ts'
import type { CallInput } from './proxied-request.ts'

/** Sends a call once. It is sent again when its place in line has come. */
type Send = (more: SendMore) => Promise<unknown>

export interface SendMore {
  signal: AbortSignal | undefined
  /** In addition to those of the input. */
  headers: Record<string, string>
}

/** An object with a call for each name. A call is made when its name is first read. */
export function operations<AnyRouter>(callOf: (name: string) => unknown): Api<AnyRouter> {
  const calls: Record<string, unknown> = Object.create(null)
  return new Proxy(calls as Api<AnyRouter> & object, {
    get: (_calls, name) => (typeof name === 'string' ? (calls[name] ??= callOf(name)) : undefined),
  })
}

/**
 * `then` keeps the client from looking like a promise. `__proto__` and the like are no operations.
 */
export function isOfObjects(name: string) {
  return name === 'then' || name in Object.prototype
}

/** What a client has for one operation. */
export function operationCall(
  prepare: (input: CallInput) => Send | Promise<Send>,
  longestMillis = 120_000,
) {
  const call = async (input: CallInput = {}, options: CallOptions = {}) => {
    const send = await prepare(input)
    return inLine((headers) => send({ signal: options.signal, headers }), {
      longestMillis,
      ...options,
    })
  }
  return {
    call,
    try: (input?: CallInput, options?: CallOptions) =>
      call(input, options).then(
        (data) => ({ ok: true, data }),
        (error: unknown) => {
          if (!(error instanceof HttpError)) throw error
          return { ok: false, error }
        },
      ),
  }
}

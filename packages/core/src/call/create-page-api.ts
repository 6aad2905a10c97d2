import { HttpError } from '../errors/errors.ts'
import type { Api } from './api.ts'
import { type NewError, nameOf } from './class-name.ts'
import { isOfObjects, operationCall, operations } from './operations.ts'
import { proxiedRequest, proxiedUrl } from './proxied-request.ts'
import { reach } from './reach.ts'
import { receivedError, UnknownHttpError } from './unknown-error.ts'

/** Where the calls of a page go. */
export interface PageApiOptions {
  /** Where the web app has its RPC proxy, such as `/api/rpc`. */
  proxy: string
}

/**
 * A small client for pages. It sends every call as a POST to the RPC proxy, so a page needs no route map. A refusal is
 * an instance of the class with its name, so a page loads only the classes that it compares errors with.
 */
export function createPageApi<AnyRouter>({ proxy }: PageApiOptions): Api<AnyRouter> {
  Object.defineProperty(HttpError, Symbol.hasInstance, { value: isInstance, configurable: true })
  return operations((name) => {
    if (isOfObjects(name)) return undefined
    return operationCall((input) => async ({ signal, headers }) => {
      const request = proxiedRequest(proxiedUrl(proxy, name), 'POST', input)
      const given = { ...request, headers: { ...request.headers, ...headers } }
      return reach(given, { signal }, (answer, body) => new Refusal(receivedError(answer, body)))
    })
  })
}

/** An error of any class: its name and fields. */
class Refusal extends UnknownHttpError {}

const hasInstance = Function.prototype[Symbol.hasInstance]

/** `error instanceof OutOfStockError`, of any class of errors. */
function isInstance(this: NewError, value: unknown) {
  return (
    hasInstance.call(this, value) ||
    (hasInstance.call(Refusal, value) && (value as Refusal).name === nameIfKnown(this))
  )
}

function nameIfKnown(any: NewError) {
  try {
    return nameOf(any)
  } catch {
    // It can't be created without facts, so no answer can become one.
    return null
  }
}

import { authErrors } from '@svc/auth'
import { type Api, type ApiOptions, createApi, HttpError } from '@svc/core/client'
import {
  notePageFailure,
  type RefusedStatus,
  refusedStatusOf,
  watchedFetch,
} from '../outage/outage.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { refusedDigest } from './client.ts'
import { signAsVisitor } from './visitor.ts'

export type ServerApiOptions = Pick<ApiOptions, 'routeMap' | 'errors' | 'timeoutMillis'>

interface Operation {
  call: (...given: unknown[]) => Promise<unknown>
}

/** The same client, whose uncaught refusals are pages of their status. */
function refusingPages<AnyApi extends object>(api: AnyApi): AnyApi {
  const get = (target: AnyApi, name: string | symbol) => {
    // Every member of a client is an operation.
    const operation = Reflect.get(target, name) as Operation | undefined
    if (!operation) return undefined
    return {
      ...operation,
      call: (...given: unknown[]) =>
        operation.call(...given).catch((error: unknown) => {
          throw pageRefusal(error)
        }),
    }
  }
  return new Proxy(api, { get })
}

/** The API as a page calls it while it is rendered, signed as whoever asks for the page. */
export function createServerApi<AnyRouter>({ errors = [], ...options }: ServerApiOptions) {
  let api: Api<AnyRouter> | undefined
  // Made by the first call: while Next builds there are no variables.
  return (): Api<AnyRouter> => {
    api ??= refusingPages(
      createApi<AnyRouter>({
        ...options,
        baseUrl: sharedWebAuth().env.SVC_API_URL,
        sign: signAsVisitor,
        fetch: watchedFetch,
        errors: [...errors, ...authErrors],
      }),
    )
    return api
  }
}

/** Makes what the API refuses, if a page does not catch it, a page of that status. */
export function pageRefusal(error: unknown): unknown {
  const status = statusOf(error)
  // Next reads the digest of what a page has thrown, and hands it to `error.tsx`. It reads none of what a page catches.
  return status === null
    ? error
    : Object.defineProperty(error, 'digest', {
        get: () => {
          notePageFailure({ status, insteadOf: 500 })
          return refusedDigest(status)
        },
      })
}

/**
 * For a page that catches what the API refuses, to say it in words of its own: the status that the page then has behind
 * the front. All other errors are thrown again.
 */
export function refusePage(error: unknown): RefusedStatus {
  const status = statusOf(error)
  if (status === null) throw error
  notePageFailure({ status, insteadOf: 200 })
  return status
}

function statusOf(error: unknown): RefusedStatus | null {
  return error instanceof HttpError ? refusedStatusOf(error.status) : null
}

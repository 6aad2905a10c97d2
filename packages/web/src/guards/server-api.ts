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

/** For `createServerApi`: the operations, their errors, and how long a call may take. */
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

/** The API as a page calls it while it is rendered, signed as the visitor of the page. */
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

/** Turns a refusal of the API, if the page doesn't catch it, into a page with that status. */
export function pageRefusal(error: unknown): unknown {
  const status = statusOf(error)
  // Next reads the digest of an error that a page throws, and passes it to `error.tsx`. It doesn't
  // read that of a caught error.
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
 * For a page that catches a refusal of the API, to explain it in its own words: sets the status of
 * the page behind the front. All other errors are thrown again.
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

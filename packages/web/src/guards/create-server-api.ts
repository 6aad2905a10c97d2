import { authErrors } from '@svc/auth'
import { type Api, type ApiOptions, createApi } from '@svc/core/client'
import { watchedFetch } from '../outage/watched-fetch.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { pageRefusal } from './page-refusal.ts'
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

import { authErrors } from '@svc/auth'
import { type Api, type ApiOptions, createApi } from '@svc/core/client'
import { watchedFetch } from '../outage/watched-fetch.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { signAsVisitor } from './visitor.ts'

export type ServerApiOptions = Pick<ApiOptions, 'routeMap' | 'errors' | 'timeoutMillis'>

/** The API as a page calls it while it is rendered, signed as whoever asks for the page. */
export function createServerApi<AnyRouter>({ errors = [], ...options }: ServerApiOptions) {
  let api: Api<AnyRouter> | undefined
  // Made by the first call: while Next builds there are no variables.
  return (): Api<AnyRouter> => {
    api ??= createApi<AnyRouter>({
      ...options,
      baseUrl: sharedWebAuth().env.SVC_API_URL,
      sign: signAsVisitor,
      fetch: watchedFetch,
      errors: [...errors, ...authErrors],
    })
    return api
  }
}

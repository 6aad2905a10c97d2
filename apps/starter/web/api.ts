import { authErrors } from '@svc/auth'
import { type AnswerOf, createApi } from '@svc/core/client'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

/** The API as a browser calls it: through the web app, at app/api/rpc, which signs for the user. */
export const api = createApi<AppRouter>({ routeMap, proxy: '/api/rpc', errors: authErrors })

/** The board of everyone, or of an organization. */
export interface Board {
  path: string
  /** What it is called, if it is not simply the board. */
  name?: string
  /** The organization whose board it is. */
  org?: string
  mayWrite: boolean
}

/** The notices of everyone, or those of an organization, by its id. */
export function noticesOf(org: string | undefined) {
  const params = { org: org ?? '' }
  return org === undefined
    ? { list: api.listNotices.call, post: api.createNotice.call }
    : {
        list: (given: Parameters<typeof api.listNotices.call>[0]) =>
          api.listOrgNotices.call({ ...given, params }),
        post: (given: Parameters<typeof api.createNotice.call>[0]) =>
          api.createOrgNotice.call({ ...given, params }),
      }
}

export type Notices = AnswerOf<typeof api.listNotices>
export type Notice = Notices['data'][number]

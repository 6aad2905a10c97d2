import { authErrors } from '@svc/auth'
import { type AnswerOf, createApi } from '@svc/core/client'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'

/** The API as a browser calls it: through the web app, at app/api/rpc, which signs for the user. */
export const api = createApi<AppRouter>({ routeMap, proxy: '/api/rpc', errors: authErrors })

export type Notices = AnswerOf<typeof api.listNotices>
export type Notice = Notices['data'][number]

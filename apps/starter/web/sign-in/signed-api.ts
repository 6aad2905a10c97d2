import { authErrors, createAuthApi, type DeviceKey } from '@svc/auth'
import { type AnswerOf, createApi, createServerClock, requestSigner } from '@svc/core/client'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'
import { publicApiUrl } from '../env.ts'

const clock = createServerClock({ baseUrl: publicApiUrl })

/** The API for whoever is signed in: this device signs, and asks the API itself instead of the web app's proxy. */
export function signedApi(key: DeviceKey) {
  const options = { baseUrl: publicApiUrl, sign: requestSigner(key), clock }
  return {
    board: createApi<AppRouter>({ ...options, routeMap, errors: authErrors }),
    auth: createAuthApi(options),
  }
}

export type SignedApi = ReturnType<typeof signedApi>
export type Me = AnswerOf<SignedApi['board']['getMe']>

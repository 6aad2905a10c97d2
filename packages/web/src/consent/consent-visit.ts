import { type AuthApi, createAuthApi } from '@svc/auth'
import { requestSigner, type SignRequest } from '@svc/core/client'
import { voucher } from '../proxy-guard/vouch.ts'
import type { OpenSession } from '../session/web-sessions.ts'
import type { WebAuth } from '../web-auth.ts'
import type { AskedFields } from './asked-fields.ts'
import type { ConsentStage } from './consent-stage.ts'

/** What the page asks the API, as whoever is signed in. */
type ConsentApi = Pick<
  AuthApi,
  | 'getAuthSession'
  | 'getOAuth2Authorize'
  | 'createOAuth2AuthorizationCode'
  | 'mfaStatus'
  | 'mfaStepUp'
  | 'proveRecent'
  | 'sendVerificationCode'
>

export interface Visit {
  readonly web: WebAuth
  readonly request: Request
  readonly isSecure: boolean
  readonly loginPath: string
  readonly render: (stage: ConsentStage) => string | Promise<string>
}

/** A visit of somebody who is signed in, for one request of a client. */
export interface SignedVisit extends Visit {
  readonly opened: OpenSession
  readonly api: ConsentApi
  readonly fields: AskedFields
}

export function signedVisit(visit: Visit, opened: OpenSession, fields: AskedFields): SignedVisit {
  const { env } = visit.web
  const vouch = voucher(env)(visit.request.headers)
  const signAsOwner = requestSigner(opened.key)
  const sign: SignRequest = async (asked) => ({
    ...(await signAsOwner(asked)),
    ...(await vouch(asked)),
  })
  return { ...visit, opened, fields, api: createAuthApi({ baseUrl: env.SVC_API_URL, sign }) }
}

import { type AuthApi, createAuthApi } from '@svc/auth'
import { HttpError, requestSigner, type SignRequest } from '@svc/core/client'
import { type LackingState, stateAfter, wayIn } from '../guards/guards.ts'
import { pageAnswer } from '../page/page.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import type { OpenSession } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'
import { consentFacts, refusalOf } from './consent-facts.ts'
import { type AskedFields, hiddenFields, keepRequest, queryOf } from './consent-request.ts'
import type { ConsentStage } from './consent-stage.ts'
import { drawUnavailable } from './draw-stage.ts'

/** What the page asks the API, as the signed-in user. */
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

/** A visit of a signed-in user, for one request of a client. */
export interface SignedVisit extends Visit {
  readonly opened: OpenSession
  readonly api: ConsentApi
  readonly fields: AskedFields
}

export function signedVisit(visit: Visit, opened: OpenSession, fields: AskedFields): SignedVisit {
  const { env } = visit.web
  const vouch = voucher(env)(visit.request.headers)
  const signAsOwner = requestSigner(opened.key)
  const sign: SignRequest = async (request) => ({
    ...(await signAsOwner(request)),
    ...(await vouch(request)),
  })
  return { ...visit, opened, fields, api: createAuthApi({ baseUrl: env.SVC_API_URL, sign }) }
}

/**
 * What the stages that ask have in common. They ask the API each time, because another consent
 * proves nothing about this one.
 */
export async function asked({ web, api, fields, opened }: SignedVisit) {
  const [consent, session, csrf] = await Promise.all([
    api.getOAuth2Authorize.call({ query: fields }),
    api.getAuthSession.call(),
    web.csrf.tokenFor(opened.session),
  ])
  return { ...consentFacts(consent, session), hiddenFields: hiddenFields(fields, csrf) }
}

const titles = {
  consent: 'Allow access',
  'step-up': 'Confirm that it is you',
  proof: 'Confirm that it is you',
  invalid: 'Request does not work',
}

export async function shown({ render }: Visit, stage: ConsentStage, status = 200) {
  const body = await render(stage)
  if (stage.name !== 'invalid' && !body.includes(stage.hiddenFields)) {
    throw new TypeError(`render must draw the hiddenFields of the stage ${stage.name}.`)
  }
  return pageAnswer({ status, title: titles[stage.name], body })
}

export const invalid = (visit: Visit, description: string) =>
  shown(visit, { name: 'invalid', description }, 400)

/** Redirects to where the user gets a session, and back. */
export async function toSession(visit: Visit, state: LackingState, fields: AskedFields) {
  const kept = await keepRequest(visit, queryOf(fields))
  if (!kept) return invalid(visit, 'It is too long.')
  const { loginPath } = visit
  const { returnTo, cookie } = kept
  return seeOther(wayIn(visit.web, state, { loginPath, returnTo }), cookie)
}

export function seeOther(location: string, cookie?: string) {
  const headers = new Headers({
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    vary: 'Cookie',
  })
  if (cookie) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** What an error of the API means for the visit. */
export async function failed(visit: SignedVisit, error: unknown) {
  const state = stateAfter(visit.web, visit.opened, error)
  if (state) return toSession(visit, state, visit.fields)
  if (!(error instanceof HttpError)) throw error
  const description = refusalOf(error)
  if (description !== null) return invalid(visit, description)
  console.error('The consent page got no response from the API.', error)
  const body = drawUnavailable(queryOf(visit.fields))
  return pageAnswer({ status: 503, title: 'Not right now', body })
}

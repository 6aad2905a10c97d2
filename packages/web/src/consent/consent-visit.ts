import { type AuthApi, type AuthSession, createAuthApi } from '@svc/auth'
import { HttpError, requestSigner, type SignRequest } from '@svc/core/client'
import { type LackingState, stateAfter, wayIn } from '../guards/guards.ts'
import { pageAnswer } from '../page/page.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import type { OpenSession } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'
import { consentFacts, refusalOf } from './consent-facts.ts'
import {
  type AskedFields,
  hiddenFields,
  keepRequest,
  queryOf,
  quietWay,
  quietWayAfter,
} from './consent-request.ts'
import type { ConsentStage } from './consent-stage.ts'
import { drawStage, drawUnavailable } from './draw-stage.ts'
import { type PageWords, wordsIn } from './page-words.ts'

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
  /** Undefined where the application draws none. */
  readonly render: ((stage: ConsentStage) => string | Promise<string>) | undefined
  readonly words: PageWords
}

/** A visit of a signed-in user, for one request of a client. */
export interface SignedVisit extends Visit {
  readonly opened: OpenSession
  readonly api: ConsentApi
  readonly session: Promise<AuthSession>
  readonly fields: AskedFields
  /** The id of whom the user allows it for, as the page's own form has it. Without it, for themselves. */
  readonly owner?: string
}

export async function signedVisit(
  visit: Visit,
  opened: OpenSession,
  fields: AskedFields,
): Promise<SignedVisit> {
  const { env } = visit.web
  const vouch = voucher(env)(visit.request.headers)
  const signAsOwner = requestSigner(opened.key)
  const sign: SignRequest = async (request) => ({
    ...(await signAsOwner(request)),
    ...(await vouch(request)),
  })
  const api = createAuthApi({ baseUrl: env.SVC_API_URL, sign })
  const session = api.getAuthSession.call()
  // Without an answer, what needs the session fails by itself, in the words of the browser.
  const locale = await session.then((found) => found.locale).catch(() => null)
  const isOurs = visit.render === undefined && locale !== null
  return { ...visit, opened, fields, api, session, ...(isOurs && { words: wordsIn([locale]) }) }
}

/**
 * What the stages that ask have in common. They ask the API each time, because another consent
 * proves nothing about this one.
 */
export async function asked({ web, api, fields, owner, opened, session: asking }: SignedVisit) {
  const [consent, session, csrf] = await Promise.all([
    api.getOAuth2Authorize.call({ query: fields }),
    asking,
    web.csrf.tokenFor(opened.session),
  ])
  const more = { csrf, ...(owner !== undefined && { owner }) }
  return { ...consentFacts(consent, session, owner), hiddenFields: hiddenFields(fields, more) }
}

export async function shown({ render, words }: Visit, stage: ConsentStage, status = 200) {
  const body = render ? await render(stage) : drawStage(stage, words)
  if (stage.name !== 'invalid' && !body.includes(stage.hiddenFields)) {
    throw new TypeError(`render must draw the hiddenFields of the stage ${stage.name}.`)
  }
  return pageAnswer({ status, lang: words.lang, title: words.titles[stage.name], body })
}

export const invalid = (visit: Visit, description: string) =>
  shown(visit, { name: 'invalid', description }, 400)

/** Redirects to where the user gets a session, and back. */
export async function toSession(visit: Visit, state: LackingState, fields: AskedFields) {
  const quiet = quietWay(fields)
  if (quiet !== null) return seeOther(quiet)
  const kept = await keepRequest(visit, queryOf(fields))
  if (!kept) return invalid(visit, visit.words.tooLong)
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
  const quiet = quietWayAfter(error, visit.fields)
  if (quiet !== null) return seeOther(quiet)
  if (!(error instanceof HttpError)) throw error
  const description = refusalOf(error)
  if (description !== null) return invalid(visit, description)
  console.error('The consent page got no response from the API.', error)
  const { lang, titles } = visit.words
  const body = drawUnavailable(queryOf(visit.fields), visit.words)
  return pageAnswer({ status: 503, lang, title: titles.unavailable, body })
}

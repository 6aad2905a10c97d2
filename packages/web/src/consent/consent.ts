import type { EnvironmentSource } from '@svc/core/env'
import { stateWithout } from '../guards/guards.ts'
import { readForm } from '../page/page.ts'
import { type WebAuth, webAuthOf } from '../web-auth.ts'
import { type AskedFields, keptRequest, readAskedFields } from './consent-request.ts'
import type { ConsentStage } from './consent-stage.ts'
import {
  asked,
  failed,
  invalid,
  type SignedVisit,
  seeOther,
  shown,
  signedVisit,
  toSession,
  type Visit,
} from './consent-visit.ts'
import { allow, decide } from './decide.ts'
import { english, wordsOfBrowser } from './page-words.ts'

export { keptBefore, type ToSession, toSessionAndBack, type Ways } from './come-back.ts'
export { type ConsentFacts, refusalOf } from './consent-facts.ts'
export type { ConsentStage } from './consent-stage.ts'
export { type DecidedFields, type PageConsent, readConsent } from './read-consent.ts'

/** For `createOAuth2ConsentPage`: your own page in place of ours, and where users sign in. */
export interface OAuth2ConsentPageOptions {
  /**
   * Draws the body of the page, in HTML. At `consent` and `step-up`, its form must contain the
   * stage's `hiddenFields`.
   */
  render?: (stage: ConsentStage) => string | Promise<string>
  /** Where signed-out users are sent. `/login` unless set. */
  loginPath?: string
  /** Where to read the variables from; the process's own unless given. */
  env?: EnvironmentSource
}

type Handler = (request: Request) => Promise<Response>

/**
 * The page on which the user allows an agent to use their account, or refuses. It is at
 * `SVC_AUTH_OAUTH2_CONSENT_PATH`.
 */
export function createOAuth2ConsentPage({
  render,
  loginPath = '/login',
  env,
}: OAuth2ConsentPageOptions = {}): { GET: Handler; POST: Handler } {
  let web: WebAuth | undefined
  const visit = (request: Request): Visit => {
    // Not before the first request: while Next builds, there are no variables.
    web ??= webAuthOf(env)
    const words = render ? english : wordsOfBrowser(request)
    return { web, request, render, words, loginPath, isSecure: web.env.SVC_AUTH_COOKIE_SECURE }
  }
  return {
    GET: (request) => open(visit(request)),
    POST: (request) => answer(visit(request)),
  }
}

async function open(visit: Visit) {
  const { searchParams } = new URL(visit.request.url)
  const id = searchParams.get('request')
  if (id !== null) return comeBack(visit, id)
  return whileSignedIn(visit, readAskedFields(searchParams), async (signed) => {
    const facts = await asked(signed)
    if (facts.signIn?.isAllowed) return allow(signed)
    return shown(signed, { name: 'consent', ...facts, isOnceMore: false })
  })
}

/** The user has signed in: goes on to the request that they came with. */
async function comeBack(visit: Visit, id: string) {
  const query = await keptRequest(visit, id)
  return query === null ? invalid(visit, visit.words.expired) : seeOther(`?${query}`)
}

async function answer(visit: Visit) {
  const form = await readForm(visit.request)
  return whileSignedIn(visit, readAskedFields(form), (signed) => decide(signed, form))
}

async function whileSignedIn(
  visit: Visit,
  fields: AskedFields,
  work: (signed: SignedVisit) => Promise<Response>,
) {
  const cookies = visit.request.headers.get('cookie')
  const opened = await visit.web.sessions.open(cookies)
  if (!opened) return toSession(visit, await stateWithout(visit.web, cookies), fields)
  const signed = await signedVisit(visit, opened, fields)
  try {
    return await work(signed)
  } catch (error) {
    return failed(signed, error)
  }
}

import { type AuthContract, authRouteMap } from '@svc/auth'
import { HttpError } from '@svc/core/client'
import { headers } from 'next/headers.js'
import { createServerApi, type LackingState, visitor, wayIn } from '../guards/guards.ts'
import { notePageFailure } from '../outage/outage.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { type ConsentFacts, consentFacts, refusalOf } from './consent-facts.ts'
import {
  type AskedFields,
  keepRequest,
  keptRequest,
  queryOf,
  quietWay,
  quietWayAfter,
  readAskedFields,
} from './consent-request.ts'

/** What a Next page has to do about a request for consent. */
export type PageConsent =
  | { readonly state: 'asked'; readonly facts: ConsentFacts; readonly decides: DecidedFields }
  /** The user signs in first. The page sets the cookie, and goes on to the path. */
  | { readonly state: 'to sign in'; readonly cookie: string; readonly path: string }
  /** Go on there: with the client's request once the user has signed in, or back to the client. */
  | { readonly state: 'back'; readonly path: string }
  | { readonly state: 'invalid'; readonly problem: ConsentProblem; readonly description: string }

/** Why a request can't be shown; in the API's words if the API has refused it. */
type ConsentProblem = 'expired' | 'too long' | 'refused'

/**
 * What a decision is about: the client's request, and the key of the session that it was shown to.
 */
export interface DecidedFields {
  readonly fields: AskedFields
  readonly keyId: string
}

interface Ways {
  /** The path of the page. */
  readonly path: string
  readonly loginPath: string
}

/** Reads the request of a client from the page's address. If the API is down, it throws. */
export async function readConsent(given: URLSearchParams, ways: Ways): Promise<PageConsent> {
  const id = given.get('request')
  if (id !== null) return comeBack(id, ways)
  const fields = readAskedFields(given)
  const found = await visitor()
  if (found.state !== 'signed in') return toSignIn(fields, found.state, ways)
  const api = createServerApi<AuthContract>({ routeMap: authRouteMap })()
  try {
    const consent = await api.getOAuth2Authorize.call({ query: fields })
    const { session } = found
    const decides = { fields, keyId: session.keyId }
    return { state: 'asked', facts: consentFacts(consent, session), decides }
  } catch (error) {
    const quiet = quietWayAfter(error, fields)
    if (quiet !== null) return { state: 'back', path: quiet }
    const description = error instanceof HttpError ? refusalOf(error) : null
    if (description === null) throw error
    return invalid('refused', description)
  }
}

async function comeBack(id: string, { path }: Ways): Promise<PageConsent> {
  const query = await keptRequest(await place(path), id)
  return query === null ? invalid('expired') : { state: 'back', path: `${path}?${query}` }
}

/** A page can't set a cookie while it is rendered, so its script does. */
async function toSignIn(
  fields: AskedFields,
  state: LackingState,
  { path, loginPath }: Ways,
): Promise<PageConsent> {
  const quiet = quietWay(fields)
  if (quiet !== null) return { state: 'back', path: quiet }
  const kept = await keepRequest(await place(path), queryOf(fields), 'script')
  if (!kept) return invalid('too long')
  const { cookie, returnTo } = kept
  return {
    state: 'to sign in',
    cookie,
    path: wayIn(sharedWebAuth(), state, { loginPath, returnTo }),
  }
}

function invalid(problem: ConsentProblem, description = ''): PageConsent {
  notePageFailure({ status: 400, insteadOf: 200 })
  return { state: 'invalid', problem, description }
}

/** Only the path and the cookies of the request count, and Next tells no page its host. */
async function place(path: string) {
  const cookie = (await headers()).get('cookie') ?? ''
  const request = new Request(new URL(path, 'http://localhost'), { headers: { cookie } })
  return { request, isSecure: sharedWebAuth().env.SVC_AUTH_COOKIE_SECURE }
}

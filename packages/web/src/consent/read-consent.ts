import { type AuthContract, authRouteMap } from '@svc/auth'
import { HttpError } from '@svc/core/client'
import { createServerApi, type LackingState, visitor } from '../guards/guards.ts'
import { notePageFailure } from '../outage/outage.ts'
import { keptBefore, type ToSession, toSessionAndBack, type Ways } from './come-back.ts'
import { type ConsentFacts, consentFacts, refusalOf } from './consent-facts.ts'
import {
  type AskedFields,
  queryOf,
  quietWay,
  quietWayAfter,
  readAskedFields,
} from './consent-request.ts'

/** What a Next page has to do about a request for consent. */
export type PageConsent =
  | { readonly state: 'asked'; readonly facts: ConsentFacts; readonly decides: DecidedFields }
  | ToSession
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
  const query = await keptBefore(path, id)
  return query === null ? invalid('expired') : { state: 'back', path: `${path}?${query}` }
}

async function toSignIn(
  fields: AskedFields,
  state: LackingState,
  ways: Ways,
): Promise<PageConsent> {
  const quiet = quietWay(fields)
  if (quiet !== null) return { state: 'back', path: quiet }
  return (await toSessionAndBack(queryOf(fields), state, ways)) ?? invalid('too long')
}

function invalid(problem: ConsentProblem, description = ''): PageConsent {
  notePageFailure({ status: 400, insteadOf: 200 })
  return { state: 'invalid', problem, description }
}

import type { RawContext } from '@svc/core'
import type { RequestOrigin } from '../../caller/caller.ts'
import type { AgentService } from '../clients/clients.ts'
import type { AuthorizationFields } from '../contract.ts'
import { OAuth2Error } from '../errors.ts'
import {
  answerAddress,
  type Destination,
  readDestination,
  readRequest,
} from './authorization-request.ts'

export interface Asked {
  raw: RawContext
  fields: AuthorizationFields
  origin: RequestOrigin
}

/** Redirects a browser to the consent page, or back to the client with the fault. */
export async function passOn(auth: AgentService, { raw, fields, origin }: Asked): Promise<string> {
  try {
    const destination = await readDestination(auth, fields, origin.address)
    const error = refusalOf(() => readRequest(auth, { destination, fields, raw }))
    const isTold = error && !(isBrowser(raw) && destination.redirectUri.startsWith('https:'))
    if (isTold) return refusalAddress(auth, { destination, fields, error })
  } catch (error) {
    if (!(error instanceof OAuth2Error && isBrowser(raw))) throw error
  }
  return shownPage(auth, fields)
}

/**
 * A link to us must not silently redirect a user to a page that an attacker has registered (RFC
 * 9700, section 4.11.2): the consent page reports the fault instead. A program, or an app on this
 * machine, is no such page.
 */
export function isBrowser({ incoming }: RawContext) {
  return (incoming.headers.accept ?? '').includes('text/html')
}

export function consentPage({ env, appUrl }: AgentService, fields: AuthorizationFields) {
  const page = new URL(env.SVC_AUTH_OAUTH2_CONSENT_PATH, appUrl)
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  page.search = new URLSearchParams(given).toString()
  return page.href
}

/**
 * The same where no client can be told that the user must act. With `prompt=none`, the page would send a signed-out user
 * back to this endpoint, again and again.
 */
export const shownPage = (auth: AgentService, { prompt, ...fields }: AuthorizationFields) =>
  consentPage(auth, fields)

export function refusalOf(read: () => unknown) {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof OAuth2Error) return error
    throw error
  }
}

interface Refusal {
  destination: Destination
  fields: AuthorizationFields
  error: OAuth2Error
}

function refusalAddress(auth: AgentService, { destination, fields, error }: Refusal) {
  const { redirectUri } = destination
  const answer = { error: error.error, error_description: error.message }
  return answerAddress(auth, { redirectUri, state: fields.state }, answer)
}

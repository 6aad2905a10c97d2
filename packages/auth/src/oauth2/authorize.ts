import type { RawContext } from '@svc/core'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { redirectHost } from '../oauth2-clients/redirect-uri.ts'
import { answerAddress } from './answer-address.ts'
import {
  type AuthorizationRequest,
  type Destination,
  readDestination,
  readRequest,
} from './authorization-request.ts'
import type { AuthorizationFields, Consent } from './contract.ts'
import { inWords } from './scopes.ts'

interface Asked {
  raw: RawContext
  fields: AuthorizationFields
  origin: RequestOrigin
}

/** What a consent page shows: it asks with the signature of whoever is to agree. */
export async function describeRequest(
  auth: AgentService,
  { raw, fields, origin }: Asked,
): Promise<Consent> {
  const destination = await readDestination(auth, fields, origin.address)
  return consentOf(auth, readRequest(auth, { destination, fields, raw }))
}

function consentOf(auth: AgentService, request: AuthorizationRequest): Consent {
  const { client, redirectUri, resource } = request
  return {
    clientId: client.clientId,
    clientName: client.name,
    ...(client.uri && { clientUri: client.uri }),
    redirectHost: redirectHost(redirectUri),
    resource,
    scopes: inWords(authorizationServerOf(auth), request.scopes),
  }
}

/** Passes a browser on to the consent page, or back to the client with what is wrong. */
export async function passOn(auth: AgentService, { raw, fields, origin }: Asked): Promise<string> {
  try {
    const destination = await readDestination(auth, fields, origin.address)
    const error = refusalOf(() => readRequest(auth, { destination, fields, raw }))
    const isTold = error && !(isBrowser(raw) && destination.redirectUri.startsWith('https:'))
    if (isTold) return refusalAddress(auth, { destination, fields, error })
  } catch (error) {
    if (!(error instanceof OAuth2Error && isBrowser(raw))) throw error
  }
  return consentPage(auth, fields)
}

/**
 * A link to us must not lead people to a page that anybody has registered, without a word (RFC 9700, section 4.11.2):
 * what is wrong is told to people on the consent page. A program, or an app on this machine, is no such page.
 */
function isBrowser({ incoming }: RawContext) {
  return (incoming.headers.accept ?? '').includes('text/html')
}

function consentPage({ env, appUrl }: AgentService, fields: AuthorizationFields) {
  const page = new URL(env.SVC_AUTH_OAUTH2_CONSENT_PATH, appUrl)
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  page.search = new URLSearchParams(given).toString()
  return page.href
}

function refusalOf(read: () => unknown) {
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

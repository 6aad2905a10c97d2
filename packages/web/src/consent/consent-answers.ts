import { ApiUnreachableError, HttpError } from '@svc/core/client'
import { type LackingState, stateAfter, wayIn } from '../guards/session-state.ts'
import { pageAnswer } from '../page/page-answer.ts'
import { type AskedFields, hiddenFields, queryOf } from './asked-fields.ts'
import type { ConsentStage } from './consent-stage.ts'
import type { SignedVisit, Visit } from './consent-visit.ts'
import { drawUnavailable } from './draw-ending.ts'
import { keepRequest } from './kept-request.ts'

/** What the stages that ask have in common. The API says it anew each time: nothing is remembered of another consent. */
export async function asked({ web, api, fields, opened }: SignedVisit) {
  const [consent, session, csrf] = await Promise.all([
    api.getOAuth2Authorize.call({ query: fields }),
    api.getAuthSession.call(),
    web.csrf.tokenFor(opened.session),
  ])
  const { clientId, clientName, redirectHost, scopes, resource } = consent
  const clientHost = URL.parse(clientId)?.host
  const { email, phone, username, publicId } = session
  return {
    clientName,
    redirectHost,
    scopes,
    resource,
    ...(clientHost && { clientHost }),
    account: email ?? phone ?? username ?? publicId,
    hiddenFields: hiddenFields(fields, csrf),
  }
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
    throw new TypeError(`What render draws for the stage ${stage.name} lacks its hiddenFields.`)
  }
  return pageAnswer({ status, title: titles[stage.name], body })
}

export const invalid = (visit: Visit, description: string) =>
  shown(visit, { name: 'invalid', description }, 400)

/** To where a session can be had, and back. */
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
  console.error('The consent page has no answer from the API.', error)
  const body = drawUnavailable(queryOf(visit.fields))
  return pageAnswer({ status: 503, title: 'Not right now', body })
}

/** What the API has against the request, or null where it says nothing about it. */
function refusalOf(error: HttpError) {
  const isAway = error instanceof ApiUnreachableError || error.status === 429 || error.status >= 500
  if (isAway) return null
  // The protocol’s own member, in place of the envelope (RFC 6749, section 5.2).
  const { error_description: described } = error as { error_description?: unknown }
  return typeof described === 'string' ? described : error.message
}

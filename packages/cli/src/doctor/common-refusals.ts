import { type Answer, refusalOf } from './ask.ts'
import { type Finding, wrong } from './finding.ts'

/** Refusals that any request can get; null for other answers. */
export function commonRefusal(answer: Answer): Finding | null {
  const refusal = refusalOf(answer.json)
  if (refusal === 'TooManyRequestsError') return tooMany(answer)
  return refusal === 'ForbiddenError' ? strictGuard(answer) : null
}

/** A rewrite passes requests on, but does not sign them as the proxy does. */
function strictGuard({ seen }: Answer) {
  return wrong('The API refuses requests that the web app forwards.', {
    seen,
    why: 'With SVC_PROXY_GUARD=strict, the API accepts requests from the web proxy only, and refuses a browser that a provider sent back.',
    fix: ['Set SVC_PROXY_GUARD=tag for the API, and restart it.'],
  })
}

function tooMany({ seen }: Answer) {
  return wrong('The API got too many requests.', {
    seen,
    why: 'The API limits how many sign-ins an address can start in a minute.',
    fix: ['Wait a minute, and run this again.'],
  })
}

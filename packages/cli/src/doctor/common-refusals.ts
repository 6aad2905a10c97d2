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
  return wrong('The API refuses what the web app passes on.', {
    seen,
    why: 'With SVC_PROXY_GUARD=strict the API answers to the web proxy alone, and not to a browser that a provider has sent back.',
    fix: ['Set SVC_PROXY_GUARD=tag for the API, and start it anew.'],
  })
}

function tooMany({ seen }: Answer) {
  return wrong('The API was asked too often.', {
    seen,
    why: 'Sign-ins are limited by address and minute.',
    fix: ['Wait for a minute, and run this again.'],
  })
}

import { type Answer, refusalOf } from '../ask.ts'
import { commonRefusal } from '../common-refusals.ts'
import type { Deployment } from '../deployment.ts'
import { type Finding, right, wrong } from '../finding.ts'
import { providersIn } from './providers.ts'

/** The answers of the web app and of the API itself to the same request. */
interface Answers {
  through: Answer
  direct: Answer
}

const why =
  'Providers send the browser back to /_auth/oauth/… of the web app, and the API has to answer there.'

/** Whether the web app forwards the API's paths. */
export function* forwarding(
  deployment: Deployment,
  { through, direct }: Answers,
): Generator<Finding, boolean> {
  const [passedOn, own] = [providersIn(through), providersIn(direct)]
  const isSame = own === null || JSON.stringify(passedOn) === JSON.stringify(own)
  if (passedOn && isSame) {
    yield right('The web app passes /_auth/* on to the API.')
    return true
  }
  yield passedOn ? anotherApi(deployment, through) : notPassedOn(deployment, { through, direct })
  return false
}

function notPassedOn(deployment: Deployment, { through, direct }: Answers) {
  const refused = commonRefusal(through)
  if (refused) return refused
  if (refusalOf(through.json) === 'NotFoundError') return noSignIn(through)
  if (through.location) return redirected(through)
  const isBroken = (through.status ?? 504) >= 500
  return isBroken ? unreached(deployment, through) : missingRewrite({ through, direct })
}

function noSignIn({ seen }: Answer) {
  return wrong('The API has no sign-in with providers.', {
    seen,
    why: 'It is the API that answers, and it has no such route.',
    fix: ['Mount authRouter, and add createAuthLifecycle(), in its server definition.'],
  })
}

function redirected({ seen }: Answer) {
  return wrong('The web app redirects /_auth/* instead of passing it on.', {
    seen,
    why,
    fix: [
      'Leave /_auth/ out of what redirects: the matcher of proxy.ts or middleware.ts, "redirects" and "trailingSlash" in next.config.ts, or a proxy in front.',
    ],
  })
}

function unreached({ api }: Deployment, { seen }: Answer) {
  return wrong('The web app does not reach the API.', {
    seen,
    why,
    fix: [
      `Set SVC_API_URL for the web app to where it finds the API (from here that is ${api.url.origin}).`,
      'Then build and start the web app anew: a build has the address in it.',
    ],
  })
}

function missingRewrite({ through, direct }: Answers) {
  const known = providersIn(direct) ? ' The API itself answers.' : ''
  return wrong('Missing rewrite: the web app does not pass /_auth/* on to the API.', {
    seen: `${through.seen}${known}`,
    why,
    fix: [
      'In next.config.ts; then build and start the web app anew:',
      "  import { authRewrites } from '@svc/web/next'",
      '  rewrites: async () => authRewrites(),',
      '  and in app/api/auth/[...path]/route.ts:',
      '  export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createAuthForwarding({ apiUrl })',
      'If it is there: a proxy in front of the web app must leave /_auth/ to it.',
    ],
  })
}

function anotherApi({ api }: Deployment, { seen }: Answer) {
  return wrong('The web app passes /_auth/* on to another API.', {
    seen: `${seen} It lists other providers than ${api.url.origin} does.`,
    why: 'A sign-in that begins at one API is unknown to the other.',
    fix: [
      'Set SVC_API_URL for the web app to where it finds this API; then build and start it anew.',
      'Or say with --api which API is meant.',
    ],
  })
}

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
  'Providers send the browser back to /_auth/oauth/… of the web app, and the API must answer there.'

/** Whether the web app forwards the API's paths. */
export function* forwarding(
  deployment: Deployment,
  { through, direct }: Answers,
): Generator<Finding, boolean> {
  const [passedOn, own] = [providersIn(through), providersIn(direct)]
  const isSame = own === null || JSON.stringify(passedOn) === JSON.stringify(own)
  if (passedOn && isSame) {
    yield right('The web app forwards /_auth/* to the API.')
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
    why: 'The API answers, but it has no such route.',
    fix: ['In its server definition, mount authRouter and add createAuthLifecycle().'],
  })
}

function redirected({ seen }: Answer) {
  return wrong('The web app redirects /_auth/* instead of forwarding it.', {
    seen,
    why,
    fix: [
      'Stop redirecting /_auth/. Look at the matcher of proxy.ts or middleware.ts, at "redirects" and "trailingSlash" in next.config.ts, and at a proxy in front.',
    ],
  })
}

function unreached({ api }: Deployment, { seen }: Answer) {
  return wrong('The web app does not reach the API.', {
    seen,
    why,
    fix: [
      `Set SVC_API_URL for the web app to the address of the API (from here, that is ${api.url.origin}).`,
      'Then rebuild and restart the web app, because the build contains the address.',
    ],
  })
}

function missingRewrite({ through, direct }: Answers) {
  const known = providersIn(direct) ? ' The API itself answers.' : ''
  return wrong('Missing rewrite: the web app does not forward /_auth/* to the API.', {
    seen: `${through.seen}${known}`,
    why,
    fix: [
      'Add this to next.config.ts, then rebuild and restart the web app:',
      "  import { authRewrites } from '@svc/web/next'",
      '  rewrites: async () => authRewrites(),',
      '  and in app/api/auth/[...path]/route.ts:',
      '  export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createAuthForwarding({ apiUrl })',
      'If that is there already, a proxy in front of the web app handles /_auth/ itself. Configure it to forward /_auth/ to the web app.',
    ],
  })
}

function anotherApi({ api }: Deployment, { seen }: Answer) {
  return wrong('The web app forwards /_auth/* to another API.', {
    seen: `${seen} It lists other providers than ${api.url.origin} does.`,
    why: 'A sign-in that starts at one API is unknown to the other.',
    fix: [
      'Set SVC_API_URL for the web app to the address of this API, then rebuild and restart it.',
      'Or name the right API with --api.',
    ],
  })
}

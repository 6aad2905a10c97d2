import { type Answer, ask } from '../ask.ts'
import { commonRefusal } from '../common-refusals.ts'
import type { Deployment } from '../deployment.ts'
import { type Explanation, type Finding, right, wrong } from '../finding.ts'
import { signInCookies } from './cookies.ts'
import type { Departure } from './departure.ts'
import { callbackUri } from './redirect-uri.ts'

/** The errors of a callback after a failed sign-in. */
const errors =
  /\b(?:expired|state_invalid|cookie_missing|provider_error|account_unavailable|email_unverified|another_linked|registration_rejected|already_linked|unreachable)\b/

/**
 * Comes back as the browser of a user who has said no to the provider. It sends no code, so the API
 * doesn't ask the provider. The state and the cookies are real ones, so a callback that gets both
 * says `provider_error`. Returns the page that says so.
 */
export async function* callback(
  deployment: Deployment,
  { provider, authUrl, setCookies }: Departure & { provider: string },
): AsyncGenerator<Finding, URL | null> {
  const uri = new URL(callbackUri(deployment, provider))
  const state = authUrl.searchParams.get('state') ?? 'doctor'
  uri.search = new URLSearchParams({ state, error: 'access_denied' }).toString()
  const cookie = signInCookies(setCookies)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const headers = { accept: 'text/html', ...(cookie && { cookie }) }
  const answer = await ask(uri, { headers })
  const page = answer.location
  const said = page && errors.exec(`${page.pathname}${page.search}`)?.[0]
  if (!page || (!said && !isErrorPage(deployment, page))) {
    yield commonRefusal(answer) ?? unlikeOurs(provider, answer)
    return null
  }
  yield said && said !== 'provider_error'
    ? misunderstood(provider, { said, seen: answer.seen })
    : right(`${provider}: the callback reaches the API, with its query and its cookies.`)
  return page
}

/** The page is configured, and may not show which error it was. */
function isErrorPage({ variables, app }: Deployment, page: URL) {
  const configured = URL.parse(variables.SVC_AUTH_OAUTH_ERROR_URL, app.url)
  return configured?.origin === page.origin && configured.pathname === page.pathname
}

function unlikeOurs(provider: string, { seen, location, status }: Answer) {
  return wrong(`${provider}: the callback does not reach the API.`, {
    seen,
    why: 'The provider sends the browser back to this address, and the API must answer there.',
    fix: location
      ? [
          'Stop redirecting /_auth/. Look at the matcher of proxy.ts or middleware.ts, at "trailingSlash", and at a proxy in front.',
          'If this is the page of SVC_AUTH_OAUTH_ERROR_URL, set that variable for this command, or put {error} into it.',
        ]
      : [
          status !== null && status >= 500
            ? 'Look at the log of the web app, and then at the log of the API.'
            : 'Forward all of /_auth/:path* to the API: use authRewrites() in next.config.ts.',
        ],
  })
}

const explanations: Record<string, Omit<Explanation, 'seen'>> = {
  cookie_missing: {
    why: 'The cookies that the web app set did not reach the API, so it takes this browser for another one.',
    fix: [
      'A cache or a proxy in front of the API removes the Cookie header from requests to /_auth/. Configure it to keep that header.',
    ],
  },
  state_invalid: {
    why: 'The API cannot read the state that it made a moment ago, or the cookie belongs to another sign-in.',
    fix: [
      'Give all instances of the API the same SVC_AUTH_VERIFICATION_TOKEN_SECRET.',
      'If they already have it, a proxy in front changes the query or the cookies of /_auth/.',
    ],
  },
  unreachable: {
    why: 'The database of the API does not answer, or this address started too many sign-ins within a minute.',
    fix: ['Wait a minute, and run this again. If it fails again, look at the log of the API.'],
  },
  expired: {
    why: 'The API says that a state made a second ago has expired.',
    fix: ['Check that the clocks of all instances of the API agree.'],
  },
}

function misunderstood(provider: string, { said, seen }: { said: string; seen: string }) {
  const lost = said === 'cookie_missing' ? 'lost cookie: ' : ''
  return wrong(`${provider}: ${lost}the callback says ${said}.`, {
    seen: `${seen} It says ${said} instead of provider_error.`,
    ...(explanations[said] ?? {
      why: 'After a user declines at the provider, the callback should say provider_error.',
      fix: ['Look at the log of the API.'],
    }),
  })
}

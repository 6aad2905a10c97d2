import { builtinProviders, consoleOf } from '../builtin-providers.ts'
import { atApp, type Deployment } from '../deployment.ts'
import { type Finding, right, wrong } from '../finding.ts'
import { isLoopback } from '../loopback.ts'

interface Uris {
  given: string
  wanted: string
}

/**
 * Whether the provider sends the browser back to the callback on the host on which the sign-in
 * began.
 */
export function* redirectUri(
  deployment: Deployment,
  { provider, authUrl }: { provider: string; authUrl: URL },
): Generator<Finding, boolean> {
  const wanted = callbackUri(deployment, provider)
  const given = authUrl.searchParams.get('redirect_uri')
  if (given === null || given === wanted) {
    const where = consoleOf(provider)
    yield right(
      `${provider}: the redirect URI is ${wanted}`,
      `Register exactly this one: ${where}.`,
    )
    return true
  }
  yield isOtherLoopback(given, wanted)
    ? lostBetweenNames(provider, { given, wanted })
    : elsewhere(provider, { given, wanted })
  return false
}

export function callbackUri(deployment: Deployment, provider: string) {
  return atApp(deployment, `/_auth/oauth/${provider}/callback`).href
}

/** `localhost` and `127.0.0.1` are one machine, but two hosts for a browser. */
function isOtherLoopback(given: string, wanted: string) {
  const [from, to] = [URL.parse(given), new URL(wanted)]
  return (
    from !== null &&
    isLoopback(from) &&
    isLoopback(to) &&
    from.hostname !== to.hostname &&
    from.port === to.port
  )
}

function lostBetweenNames(provider: string, { given, wanted }: Uris) {
  const [from, to] = [new URL(given), new URL(wanted)]
  return wrong(
    `${provider}: lost cookie: the sign-in begins on ${to.hostname} and ends on ${from.hostname}.`,
    {
      seen: `The redirect URI is ${given}, and the web app was asked at ${to.origin}.`,
      why: 'To a browser, these are two hosts with separate cookies, so the callback finds no cookie.',
      fix: [
        `Always open the web app at ${from.origin}. Or set NEXT_PUBLIC_SVC_APP_URL=${to.origin} for the API and the web app, restart both, and register (${consoleOf(provider)}):`,
        `  ${wanted}`,
      ],
    },
  )
}

function elsewhere(provider: string, { given, wanted }: Uris) {
  const { origin } = new URL(wanted)
  const isElsewhere = URL.parse(given)?.origin !== origin
  return wrong(`${provider}: wrong redirect URI.`, {
    seen: `The provider is told ${given}`,
    why: isElsewhere
      ? `That is not on ${origin}, where the sign-in started. The browser does not send its cookies there, so the callback refuses it.`
      : 'Nothing answers callbacks there.',
    fix: [
      ...(isElsewhere
        ? [
            `Set NEXT_PUBLIC_SVC_APP_URL=${origin} for the API, or give the address that browsers use with --app.`,
          ]
        : []),
      `${settingOf(provider)} Restart the API.`,
      `Then register (${consoleOf(provider)}):`,
      `  ${wanted}`,
    ],
  })
}

/** The setting that may be the reason. */
function settingOf(provider: string) {
  return builtinProviders.has(provider)
    ? `Unset SVC_AUTH_${provider.toUpperCase()}_REDIRECT_URI and SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK of the API.`
    : 'Let getAuthUrl of this provider use the redirectUri that it is given.'
}

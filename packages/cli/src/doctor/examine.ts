import { ask } from './ask.ts'
import { callback } from './checks/callback.ts'
import { cookies } from './checks/cookies.ts'
import { depart } from './checks/departure.ts'
import { forwarding } from './checks/forwarding.ts'
import { pages } from './checks/pages.ts'
import { providersIn, turnedOn } from './checks/providers.ts'
import { api, webApp } from './checks/reachability.ts'
import { redirectUri } from './checks/redirect-uri.ts'
import { tenantTables } from './checks/tenant-tables.ts'
import { contradictions } from './checks/variables.ts'
import { atApi, atApp, type Deployment } from './deployment.ts'
import type { Finding } from './finding.ts'

/** Checks the tables of organizations, and then what a sign-in with a provider needs. */
export async function* examine(deployment: Deployment): AsyncGenerator<Finding> {
  yield* tenantTables(deployment)
  yield* providerSignIn(deployment)
}

/** In the order in which a sign-in needs it. */
async function* providerSignIn(deployment: Deployment): AsyncGenerator<Finding> {
  yield* contradictions(deployment)
  const isThere = yield* webApp(deployment)
  const [through, direct] = await Promise.all([
    ask(atApp(deployment, '/_auth/oauth/providers')),
    ask(atApi(deployment, '/_auth/oauth/providers')),
  ])
  yield* api(deployment, providersIn(through) !== null)
  if (!isThere) return
  const isPassedOn = yield* forwarding(deployment, { through, direct })
  const providers = providersIn(direct) ?? providersIn(through)
  if (!providers) return
  yield* turnedOn(deployment, providers)
  const ids = providers.filter(({ web }) => web).map(({ id }) => id)
  let errorPage: URL | null = null
  for (const id of ids) errorPage = (yield* signIn(deployment, id, isPassedOn)) ?? errorPage
  if (ids.length > 0) yield* pages(deployment, errorPage)
}

/** One sign-in, from the button to the callback. Returns the page where it ended. */
async function* signIn(
  deployment: Deployment,
  provider: string,
  isPassedOn: boolean,
): AsyncGenerator<Finding, URL | null> {
  const departure = yield* depart(deployment, provider)
  if (!departure) return null
  const isOwn = yield* redirectUri(deployment, { provider, authUrl: departure.authUrl })
  const isKept = yield* cookies(deployment.app.url, { provider, ...departure })
  // After a fault, later checks would only find it again.
  return isOwn && isKept && isPassedOn
    ? yield* callback(deployment, { provider, ...departure })
    : null
}

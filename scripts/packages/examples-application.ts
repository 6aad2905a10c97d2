/**
 * A project of another developer with the examples installed: its server, and a program that calls
 * it.
 */
export const examplesApplication = {
  'server.ts': `import { authenticate, createAuthLifecycle, createAuthRouter } from '@svc/auth/server'
import { defineRouter, defineServer } from '@svc/core'
import { defineEventRouter } from '@svc/core/contract'
import { magicLinkCapability } from '@svc-example/magic-link'
import { magicLink } from '@svc-example/magic-link/contract'
import { teamCapability } from '@svc-example/teams'
import { teams } from '@svc-example/teams/contract'

export const eventRouter = defineEventRouter(teams.events)

export default defineServer()
  .routes(
    defineRouter({})
      .packages([createAuthRouter({ contracts: [magicLink, teams] })])
      .use([authenticate]),
  )
  .lifecycle(
    createAuthLifecycle({
      capabilities: [magicLinkCapability(), teamCapability()],
      rolePermissions: { user: ['team:create'] },
    }),
  )
  .events(eventRouter, { auth: { enabled: true } })
`,
  'proxy.ts': `import { authRouteMap } from '@svc/auth'
import { authInterceptors, createRpcProxy } from '@svc/web/proxy'
import { magicLink } from '@svc-example/magic-link/contract'
import { teams } from '@svc-example/teams/contract'

const contracts = [magicLink, teams]

/** The web app's part, which keeps the keys of browsers. */
export const proxyOf = (apiUrl: string, env: Record<string, string>) =>
  createRpcProxy({
    routeMap: authRouteMap,
    contracts,
    apiUrl,
    interceptors: [authInterceptors({ contracts, env })],
    env,
  })
`,
  'page.tsx': `import { MagicLinkPage } from '@svc-example/magic-link/page'

export const page = <MagicLinkPage token="from the address" onSignedIn={() => {}} />
`,
  'client.ts': `import { createAuthApi } from '@svc/auth'
import type { SignRequest } from '@svc/core/client'
import { magicLinkClient } from '@svc-example/magic-link/client'
import { teamClient } from '@svc-example/teams/client'

export const apiOf = (baseUrl: string, sign?: SignRequest) =>
  createAuthApi({ baseUrl, clients: [magicLinkClient, teamClient], ...(sign && { sign }) })

// @ts-expect-error -- a team has a name
export const nameless = () => apiOf('http://localhost').createTeam.call({ body: {} })
`,
  'program.ts': `import { createTestKey, startTestAuth } from '@svc/auth/testing'
import { createAuthSSEClient } from '@svc/core/client'
import { apiOf } from './client.ts'
import { proxyOf } from './proxy.ts'
import server, { type eventRouter } from './server.ts'

const auth = await startTestAuth({ definition: server })
try {
  const { email, userId } = await auth.createUser()
  const stranger = apiOf(auth.url)
  const ask = () => stranger.requestMagicLink.call({ body: { email } })
  const token = await auth.linkSentBy(ask, email, 'magic-link.sign-in')
  const key = await createTestKey()
  const signedIn = await stranger.signInByMagicLink.call({ body: { token, ...key.registration } })
  console.log('signed in', signedIn.mfaRequired === false && signedIn.userId === userId)

  // As a page sends it: without a key, because the proxy makes and keeps it.
  const proxy = proxyOf(auth.url, {
    SVC_AUTH_SESSION_SECRET: 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_',
    SVC_AUTH_CSRF: 'enforce',
  })
  const send = (name: string, input: object, cookie = '') =>
    proxy.POST(
      new Request('http://localhost/api/rpc/' + name, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(input),
      }),
    )
  const ofPage = await auth.linkSentBy(ask, email, 'magic-link.sign-in')
  const inBrowser = await send('signInByMagicLink', { body: { token: ofPage } })
  const cookie = inBrowser.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ')
  const session = await (await send('getAuthSession', {}, cookie)).json()
  console.log('signed in through the proxy', inBrowser.status === 200 && session.userId === userId)

  const sign = auth.signerOf(key)
  const client = createAuthSSEClient<typeof eventRouter>({ host: auth.url, sign })
  const api = apiOf(auth.url, sign)
  const { teamId } = await api.createTeam.call({ body: { name: 'Crew' } })
  const change = await new Promise<string>((heard, rejected) => {
    const end = client.subscribe({
      handlers: {
        teamChanged: (changed) => {
          end()
          heard(changed.change + ' ' + (changed.teamId === teamId))
        },
      },
      onOpen: () => {
        api.renameTeam.call({ params: { teamId }, body: { name: 'Divers' } }).catch(rejected)
      },
      onRejected: rejected,
    })
  })
  console.log('streamed', change)
} finally {
  await auth.stop()
}
`,
}

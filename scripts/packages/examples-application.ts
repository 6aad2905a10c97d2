/** A project of another developer that has the examples installed: its server, and a program that asks it. */
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

import { createAuthApi } from '@svc/auth'
import { startTestAuth } from '@svc/auth/testing'
import { TooManyRequestsError } from '@svc/core/contract'
import { afterAll, expect, it } from 'vitest'
import { teamClient } from './client.ts'
import { teams } from './contract.ts'
import { definition } from './test-application.ts'

const auth = await startTestAuth({ definition, env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())

it('lets no stranger call an operation', async () => {
  expect(await auth.answersToStrangers(teams)).toEqual({
    createTeam: 401,
    listTeams: 401,
    renameTeam: 401,
    addTeamMember: 401,
    removeTeamMember: 401,
  })
})

it('lets an account create twenty teams a day', async () => {
  const { key } = await auth.signedInUser({ role: 'admin' })
  const sign = auth.signerOf(key)
  const api = createAuthApi({ baseUrl: auth.url, clients: [teamClient], sign })
  const create = () => api.createTeam.call({ body: { name: 'Crew' } })
  for (let created = 0; created < 20; created += 1) await create()
  await expect(create()).rejects.toThrow(TooManyRequestsError)
})

it('lets these callers in', () => {
  expect(auth.accessOf(teams)).toEqual([
    'bearer addTeamMember PUT /_auth/teams/:teamId/members/:userId',
    'bearer listTeams GET /_auth/teams',
    'bearer removeTeamMember DELETE /_auth/teams/:teamId/members/:userId',
    'bearer renameTeam PATCH /_auth/teams/:teamId',
    'may team:create createTeam POST /_auth/teams',
  ])
})

it('refuses strangers, suspended accounts, and users without the permission', async () => {
  const refused = { stranger: 401, suspended: 403 }
  expect(await auth.answersToCallers(teams)).toEqual({
    createTeam: { ...refused, user: 403 },
    listTeams: refused,
    renameTeam: refused,
    addTeamMember: refused,
    removeTeamMember: refused,
  })
})

import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { startTestAuth } from '../../testing.ts'
import { agentOptions, redirectUri, testAgents } from '../testing/test-agent.ts'

const auth = await startTestAuth(agentOptions)
afterAll(auth.stop)
const agents = testAgents(auth)

const told = async (userId: string) => {
  const { rows } = await auth.auth.db.execute(sql`
    select 1 from svc_jobs.job where name = 'auth.notice'
      and data->'input'->>'userId' = ${userId} and data->'input'->>'template' = 'agent-connected'`)
  return rows.length
}

it('an agent that has got its first tokens is told to the owner once, in the language of the account', async () => {
  const { userId, email, key } = await auth.signedInUser()
  await auth.auth.db.update(users).set({ locale: 'ko' }).where(eq(users.userId, userId))
  const agent = await agents.register({ client_name: 'Agent Smith' })
  const user = { userId, key } as Parameters<typeof agents.allow>[0]
  const code = await agents.allow(user, agent, { scope: 'board user:read' })
  expect(await told(userId)).toBe(0)

  let refreshToken = ''
  const message = await auth.sentBy(
    async () => {
      refreshToken = (await agents.redeem(agent, code)).body.refresh_token
    },
    email,
    'agent-connected',
  )
  expect(message.subject).toBe('계정에 에이전트가 연결되었습니다')
  // Mail programs make no link of what a client calls itself, nor of its host.
  const text = message.text.replaceAll('\u2060', '')
  for (const fact of [
    'Agent Smith',
    new URL(redirectUri).host,
    'Read the board; See who else is here',
    'http://localhost:3790/account/agents',
  ])
    expect(text).toContain(fact)

  expect((await agents.refresh(agent, refreshToken)).status).toBe(200)
  expect(await told(userId)).toBe(1)
})

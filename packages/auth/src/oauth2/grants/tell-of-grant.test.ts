import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { startTestAuth } from '../../testing.ts'
import { testTerminals } from '../device-grant/testing/test-terminal.ts'
import { agentOptions, redirectUri, testAgents } from '../testing/test-agent.ts'

/** The host of a client’s document, which names its own address as its redirect URI. */
const host = createServer((request, response) => {
  const itself = `${origin}${request.url}`
  const grant_types = [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
  ]
  const names = { client_name: 'Your bank', token_endpoint_auth_method: 'none', grant_types }
  const document = { client_id: itself, redirect_uris: [itself], ...names }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
const named = `127.0.0.1:${(host.address() as AddressInfo).port}`
const origin = `http://${named}`

const { authorizationServer } = agentOptions.options
const clientDocuments = { hosts: [named] }
const auth = await startTestAuth({
  options: { authorizationServer: { ...authorizationServer, clientDocuments } },
})
afterAll(async () => {
  host.close()
  await auth.stop()
})
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

it('a client that is redirected to the address of its document can’t keep that host out of the mail', async () => {
  const user = await auth.signedInUser()
  const redirect_uri = `${origin}/agent.json`
  const agent = { clientId: redirect_uri }
  const code = await agents.allow(user, agent, { redirect_uri })
  const redeem = async () => {
    expect(await agents.redeem(agent, code, { form: { redirect_uri } })).toMatchObject({
      status: 200,
    })
  }
  const { text } = await auth.sentBy(redeem, user.email, 'agent-connected')
  expect(text.replaceAll('\u2060', '')).toContain(`It redirects to: ${named}`)
})

it('a client that shows a code is told by the host of its document', async () => {
  const user = await auth.signedInUser()
  const terminals = testTerminals(auth)
  const agent = { clientId: `${origin}/agent.json` }
  const code = await terminals.start(agent)
  expect((await terminals.decide(code, user)).status).toBe(204)
  const redeem = async () => {
    expect((await terminals.poll(agent, code)).status).toBe(200)
  }
  const { text } = await auth.sentBy(redeem, user.email, 'agent-connected')
  const read = text.replaceAll('\u2060', '')
  expect(read).toContain(`It is identified by: ${named}`)
  expect(read).not.toContain('It redirects to')
})

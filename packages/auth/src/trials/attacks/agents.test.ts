import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRouter, route, t } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { requirePerson } from '../../caller/caller.ts'
import { configureAuth } from '../../configure-auth.ts'
import { deletionPurge } from '../../deletion/deletion.ts'
import { deletionOf } from '../../deletion/testing/deletion.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { dpopProof } from '../../oauth2/client.ts'
import { oauth2Grants } from '../../oauth2/grants/grants.ts'
import { accessTokenAuth, verifyAccessToken } from '../../oauth2/oauth2.ts'
import {
  agentOptions,
  issuer,
  pkce,
  redirectUri,
  testAgents,
} from '../../oauth2/testing/test-agent.ts'
import { agentServiceOf } from '../../oauth2/verify-access-token.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { startTestAuth, type TestKey } from '../../testing.ts'
import { dumpTables } from './dump-tables.ts'

const router = defineRouter({
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler(() => 'opened'),
  act: route
    .post('/mcp')
    .use([accessTokenAuth('/mcp')])
    .input({ body: t.Object({}) })
    .handler(() => 'done'),
  handshake: route
    .post('/handshake')
    .use([oneTimeTokenAuth])
    .input({ body: t.Object({}) })
    .handler(() => 'done'),
  ofPeople: route
    .get('/people')
    .use([oneTimeTokenAuth, requirePerson])
    .handler(() => 'opened'),
})
const options = { ...agentOptions.options, deletion: { graceDays: 3 } }
const auth = await startTestAuth({ options, router })
const { db } = auth.auth
afterAll(() => auth.stop())
const agents = testAgents(auth)
const agent = await agents.register()
const { request, statusOf } = deletionOf(auth)

const withProof = async (key: TestKey) => {
  const nowMillis = auth.clock.now().getTime()
  const url = `${issuer}/_auth/oauth2/token`
  return { headers: { dpop: await dpopProof(key, { method: 'POST', url, nowMillis }) } }
}
const refused = (error: string) => ({ status: 400, body: { error } })

it('nothing that a client shows is in a table or in the log', async () => {
  const user = await auth.signedInUser()
  const client = await agents.register({ token_endpoint_auth_method: 'client_secret_post' })
  const [used, unused] = [await agents.allow(user, client), await agents.allow(user, client)]
  const first = (await agents.redeem(client, used)).body
  const next = (await agents.refresh(client, first.refresh_token)).body
  await agents.redeem(client, { ...unused, verifier: pkce().verifier })
  await agents.redeem({ ...client, clientSecret: 'another' }, unused)
  await agents.open(next.access_token)
  await agents.open(next.refresh_token)
  const kept = (await dumpTables(db)) + JSON.stringify(auth.logged)
  const shown = [used, unused].flatMap(({ code, verifier }) => [code, verifier])
  const given = [first, next].flatMap(({ access_token, refresh_token }) => [
    access_token,
    refresh_token,
  ])
  expect(kept).toContain(client.clientId)
  for (const secret of [client.clientSecret, ...shown, ...given]) {
    expect(kept).not.toContain(secret)
  }
})

it('an account is purged with what programs had of it, bound to its devices too', async () => {
  const user = await auth.signedInUser()
  const machine = await machineOf(auth, user)
  await auth.call('issueOneTimeToken', undefined, machine)
  for (const key of [user.key, machine]) {
    const answer = await agents.redeem(agent, await agents.allow(user, agent), await withProof(key))
    expect(answer.body).toMatchObject({ token_type: 'DPoP' })
  }
  expect(await request(user)).toMatchObject({ status: 200 })
  auth.clock.advance('3d')
  await deletionPurge.enqueue()
  await expect.poll(() => statusOf(user.userId), { timeout: 10_000 }).toBe('deleted')
  const rows = await dumpTables(db)
  const { registration } = machine
  for (const left of [user.email, registration.fingerprint, registration.publicKey]) {
    expect(rows).not.toContain(left)
  }
  expect(await db.$count(oauth2Grants, sql`user_id = ${user.userId}`)).toBe(0)
})

it('a one-time token of a machine stands for the machine, and for no other caller', async () => {
  const user = await auth.signedInUser()
  const open = async (key: TestKey) => {
    const { token } = (await auth.call('issueOneTimeToken', undefined, key)).body
    return (await fetch(`${auth.url}/people?token=${token}`)).status
  }
  expect([await open(user.key), await open(await machineOf(auth, user))]).toEqual([200, 403])
})

/** Sends a request but for its last byte, and waits until the server has read what there is. */
async function hold(path: string, authorization: string) {
  const headers = { authorization, 'content-type': 'application/json', 'content-length': 2 }
  const sent = send(`${auth.url}${path}`, { method: 'POST', headers })
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write('{')
  await wait(100)
  return async () => {
    sent.end('}')
    const [incoming] = await answer
    incoming.resume()
    return incoming.statusCode
  }
}

describe('a request whose last byte is held back', () => {
  it('does nothing for an agent that has lost its grant meanwhile', async () => {
    const user = await auth.signedInUser()
    const { access_token } = await agents.tokens(user, agent)
    const [inTime, tooLate] = await Promise.all([
      hold('/mcp', `Bearer ${access_token}`),
      hold('/mcp', `Bearer ${access_token}`),
    ])
    expect(await inTime()).toBe(200)
    await agents.send('revoke', { client_id: agent.clientId, token: access_token })
    expect(await tooLate()).toBe(401)
  })

  it('does nothing by a one-time token whose key was signed out meanwhile', async () => {
    const { key } = await auth.signedInUser()
    const issue = async () => (await auth.call('issueOneTimeToken', undefined, key)).body.token
    const inTime = await hold('/handshake', `OTT ${await issue()}`)
    expect(await inTime()).toBe(200)
    const tooLate = await hold('/handshake', `OTT ${await issue()}`)
    await auth.call('logout', undefined, key)
    expect(await tooLate()).toBe(401)
  })
})

describe('a code', () => {
  it('is not redeemed with the key of a device that was signed out since', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const code = await agents.allow(user, agent)
    await auth.call('revokeKey', { keyId: device.keyId }, user.key)
    expect(await agents.redeem(agent, code, await withProof(device))).toMatchObject(
      refused('invalid_grant'),
    )
    expect((await agents.redeem(agent, code, await withProof(user.key))).status).toBe(200)
  })

  it('that is spent ends nothing where another client shows it, or who cannot show that it is its own', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent)
    const { access_token } = (await agents.redeem(agent, code)).body
    auth.clock.advance('1s')
    await agents.redeem(await agents.register(), code)
    await agents.redeem({ ...agent, clientSecret: 'it has none' }, code)
    expect((await agents.open(access_token)).status).toBe(200)
  })

  it('goes where was shown, also when the document of its client says another place meanwhile', async () => {
    const user = await auth.signedInUser()
    const clientId = 'https://agent.example.com/client.json'
    const says = (uri: string) =>
      db.execute(sql`
        insert into svc_auth.oauth2_clients values (${clientId}, 'document', 'Agent', null,
          array[${uri}], 'none', null, false, now(), now() + interval '9 days')
        on conflict (client_id) do update set redirect_uris = excluded.redirect_uris`)
    const asked = agents.asked({ clientId }, pkce().challenge)
    const { redirect_uri: _, ...unnamed } = asked
    const answers = async (fields: object) => {
      await says(redirectUri)
      const shown = await auth.call('getOAuth2Authorize', undefined, user.key, {
        query: { ...fields },
      })
      await says('https://elsewhere.example.com/')
      return [shown.status, (await agents.decide(user, fields)).status]
    }
    expect(await answers(asked)).toEqual([200, 400])
    expect(await answers(unnamed)).toEqual([400, 400])
  })
})

it('an account that has to change its password has no agents until then, where that is enforced', async () => {
  const user = await auth.signedInUser()
  const { access_token } = await agents.tokens(user, agent)
  const mine = eq(users.userId, user.userId)
  await db.update(users).set({ passwordChangeRequired: true }).where(mine)
  const opened = async () => [
    (await agents.open(access_token)).status,
    (await verifyAccessToken(access_token, '/mcp')) !== null,
  ]
  expect(await opened()).toEqual([200, true])
  configureAuth({ enforcePasswordChange: true })
  expect(await opened()).toEqual([401, false])
  configureAuth({ enforcePasswordChange: false })
})

it('a scope that the application has taken out gives nothing, even if it was granted before', async () => {
  const user = await auth.signedInUser({ role: 'admin' })
  const token = await agents.tokens(user, agent, { scope: 'audit:read board' })
  const shown = async (access: string) =>
    (await verifyAccessToken(access, '/mcp')) ?? expect.unreachable()
  expect(await shown(token.access_token)).toMatchObject({ permissions: ['audit:read'] })
  const scopes = agentServiceOf(auth.server.infrastructure).authorizationServer?.scopes as Map<
    string,
    string
  >
  const words = scopes.get('audit:read') ?? ''
  scopes.delete('audit:read')
  const now = { scopes: ['board'], permissions: [] }
  expect(await shown(token.access_token)).toMatchObject(now)
  const { body } = await agents.refresh(agent, token.refresh_token)
  expect(body.scope).toBe('board')
  scopes.set('audit:read', words)
  // What was given since has it no more, be it put back.
  expect(await shown(body.access_token)).toMatchObject(now)
})

it('an owner sees what a program was allowed, even if there is more than can be shown', async () => {
  const user = await auth.signedInUser()
  await agents.tokens(user, agent)
  await db.execute(sql`
    insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource, redirect_uri,
      code_hash, code_challenge, code_expires_at, created_at, expires_at)
    select state, user_id, generation, client_id, scopes, resource, redirect_uri,
      code_hash || n, code_challenge, code_expires_at, created_at, expires_at
    from svc_auth.oauth2_grants, generate_series(1, 999) n where user_id = ${user.userId}`)
  const { grants } = (await auth.call('listOAuth2Grants', undefined, user.key)).body
  expect(grants).toHaveLength(1000)
  const asked = agents.asked(agent, pkce().challenge)
  const full = { status: 403, body: { error: 'access_denied' } }
  expect(await agents.decide(user, asked)).toMatchObject(full)
  expect((await agents.decide(user, asked, 'deny')).status).toBe(200)
  const params = { grantId: grants[0].grantId }
  await auth.call('revokeOAuth2Grant', undefined, user.key, { params })
  expect((await agents.decide(user, asked)).status).toBe(200)
  expect(await agents.decide(user, asked)).toMatchObject(full)
})

import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { DeviceKey } from '../../device-key/device-key.ts'
import { forgetExpired } from '../../forget-expired.ts'
import { createTestKey, startTestAuth, type TestAuth } from '../../testing.ts'
import { dumpTables } from '../../trials/attacks/dump-tables.ts'
import { dpopProof } from '../client.ts'
import { type Agent, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)
const other = await auth.secondInstance()
const agents = testAgents(auth)
const agent = await agents.register()
const user = await auth.signedInUser({ role: 'admin' })

type Options = Parameters<typeof agents.refresh>[2]

/** A refresh token that was spent a moment ago, and what it was spent for. */
async function justSpent({ by = agent, form = {} }: { by?: Agent; form?: object } = {}) {
  const first = await agents.tokens(user, by, { scope: 'user:read board' })
  const next = await agents.refresh(by, first.refresh_token, { form: { ...form } })
  expect(next.status).toBe(200)
  return { given: first.refresh_token, next: next.body }
}

type Spent = Awaited<ReturnType<typeof justSpent>>

async function isAnsweredAlike({ given, next }: Spent, options?: Options) {
  const answer = await agents.refresh(agent, given, options)
  expect(answer).toMatchObject({ status: 200, body: { ...next, expires_in: expect.any(Number) } })
  expect(await agents.isOpen(next.access_token)).toBe(true)
  return answer.body.expires_in as number
}

async function isReplay(
  { given, next }: Spent,
  { by = agent, ...options }: Options & { by?: Agent } = {},
) {
  expect(await agents.refresh(by, given, options)).toMatchObject(refused('invalid_grant'))
  expect(await agents.isOpen(next.access_token)).toBe(false)
  expect(await agents.refresh(agent, next.refresh_token)).toMatchObject(refused('invalid_grant'))
}

const kept = (at: TestAuth = auth) =>
  at.auth.db.$count(sql`svc_auth.oauth2_tokens`, sql`successor is not null`)

describe('a refresh token that is sent again (decisions 16)', () => {
  it('gets the same successor within the window, from each instance, as long as that lives', async () => {
    const spent = await justSpent()
    expect(await isAnsweredAlike(spent)).toBe(3600)
    auth.clock.advance(2)
    expect(await isAnsweredAlike(spent)).toBe(3599)
    auth.clock.advance(19_997)
    other.clock.set(auth.clock.now())
    expect(await isAnsweredAlike(spent, { at: other })).toBe(3580)
    expect((await agents.refresh(agent, spent.next.refresh_token)).status).toBe(200)
  })

  it('ends the grant after the window', async () => {
    const spent = await justSpent()
    auth.clock.advance('20s')
    await isReplay(spent)
  })

  it('ends the grant within the window, where another client shows it', async () => {
    const spent = await justSpent()
    auth.clock.advance(1)
    await isReplay(spent, { by: await agents.register() })
  })

  it('ends nothing where its client cannot show that it is this one', async () => {
    const by = await agents.register({ token_endpoint_auth_method: 'client_secret_post' })
    const { given, next } = await justSpent({ by })
    auth.clock.advance(1)
    const impostor = { ...by, clientSecret: 'x'.repeat(43) }
    expect(await agents.refresh(impostor, given)).toMatchObject(refused('invalid_client', 401))
    expect(await agents.refresh(by, given)).toMatchObject({
      status: 200,
      body: { refresh_token: next.refresh_token },
    })
  })

  it('ends the grant within the window, where another scope or resource is asked for', async () => {
    const others = [
      { scope: 'board' },
      { scope: 'board audit:read' },
      { resource: `${auth.url}/other` },
      { resource: 'https://elsewhere.example.com/' },
    ]
    for (const form of others) {
      const spent = await justSpent()
      auth.clock.advance(1)
      await isReplay(spent, { form })
    }
    const narrow = await justSpent({ form: { scope: 'board' } })
    auth.clock.advance(1)
    await isReplay(narrow)
  })

  it('is the same request, however scope and resource are written', async () => {
    const spent = await justSpent()
    const form = { scope: 'board  user:read board', resource: `${auth.url}/mcp` }
    await isAnsweredAlike(spent, { form })
  })

  it('is a replay once its successor was used: its client has that one', async () => {
    const { given, next } = await justSpent()
    const last = await agents.refresh(agent, next.refresh_token)
    auth.clock.advance(1)
    expect(await agents.refresh(agent, given)).toMatchObject(refused('invalid_grant'))
    for (const { access_token } of [next, last.body]) {
      expect(await agents.isOpen(access_token)).toBe(false)
    }
  })

  it('gets nothing that was taken back, or whose account has signed out everywhere, in between', async () => {
    const { given, next } = await justSpent()
    await agents.send('revoke', { client_id: agent.clientId, token: next.access_token })
    expect(await agents.refresh(agent, given)).toMatchObject(refused('invalid_grant'))

    const leaving = await auth.signedInUser()
    const first = await agents.tokens(leaving, agent)
    await agents.refresh(agent, first.refresh_token)
    await auth.call('revokeAllKeys', { includeCurrent: false }, leaving.key)
    expect(await agents.refresh(agent, first.refresh_token)).toMatchObject(refused('invalid_grant'))
  })
})

describe('a bound refresh token that is sent again', () => {
  const withProof = async (key: DeviceKey) => ({
    headers: {
      dpop: await dpopProof(key, {
        method: 'POST',
        url: `${auth.url}/_auth/oauth2/token`,
        nowMillis: auth.clock.now().getTime(),
      }),
    },
  })
  async function boundSpent(key: DeviceKey) {
    const { body: first } = await agents.redeem(
      agent,
      await agents.allow(user, agent),
      await withProof(key),
    )
    const { body: next } = await agents.refresh(agent, first.refresh_token, await withProof(key))
    auth.clock.advance(1)
    return { given: first.refresh_token as string, next }
  }

  it('gets the same successor with its key, and ends the grant with another or none', async () => {
    const [key, another] = [await createTestKey(), await createTestKey()]
    const { given, next } = await boundSpent(key)
    const { access_token, refresh_token } = next
    expect(await agents.refresh(agent, given, await withProof(key))).toMatchObject({
      status: 200,
      body: { access_token, refresh_token, token_type: 'DPoP' },
    })
    for (const options of [await withProof(another), {}]) {
      const spent = await boundSpent(key)
      expect(await agents.refresh(agent, spent.given, options)).toMatchObject(
        refused('invalid_grant'),
      )
      const renewed = await agents.refresh(agent, spent.next.refresh_token, await withProof(key))
      expect(renewed).toMatchObject(refused('invalid_grant'))
    }
  })

  it('gets nothing once the device was signed out whose key it is', async () => {
    const device = await auth.signIn(user)
    const { given } = await boundSpent(device)
    await auth.call('revokeKey', { keyId: device.keyId }, user.key)
    expect(await agents.refresh(agent, given, await withProof(device))).toMatchObject(
      refused('invalid_grant'),
    )
  })
})

describe('what is kept for it', () => {
  it('opens with the spent token alone, and holds no token that can be read', async () => {
    const { given, next } = await justSpent()
    const rows = await dumpTables(auth.auth.db)
    expect(rows).toContain('enc:v2:refresh-token:')
    for (const secret of [given, next.access_token, next.refresh_token]) {
      for (const form of [secret, Buffer.from(secret, 'base64url').toString('hex')]) {
        expect(rows).not.toContain(form)
      }
    }
  })

  it('is one answer for a grant, and goes with the window', async () => {
    await auth.auth.db.execute(sql`update svc_auth.oauth2_tokens set successor = null`)
    const { next } = await justSpent()
    await agents.refresh(agent, next.refresh_token)
    expect(await kept()).toBe(1)
    auth.clock.advance(19_999)
    await justSpent()
    expect(await kept()).toBe(2)
    auth.clock.advance(1)
    // Either of the two sweeps.
    other.clock.set(auth.clock.now())
    await forgetExpired.enqueue()
    await expect.poll(() => kept(), { timeout: 10_000 }).toBe(1)
  })
})

it('a window of 0 keeps nothing, and every second use ends the grant', async () => {
  const strict = await startTestAuth({
    ...agentApp,
    env: { SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS: '0' },
  })
  const at = testAgents(strict)
  const by = await at.register()
  const first = await at.tokens(await strict.signedInUser(), by)
  const next = await at.refresh(by, first.refresh_token)
  expect(await kept(strict)).toBe(0)
  // At the same moment it is the same request, which has lost; later it is a replay.
  expect(await at.refresh(by, first.refresh_token)).toMatchObject(refused('invalid_grant'))
  expect(await at.isOpen(next.body.access_token)).toBe(true)
  strict.clock.advance(1)
  expect(await at.refresh(by, first.refresh_token)).toMatchObject(refused('invalid_grant'))
  expect(await at.isOpen(next.body.access_token)).toBe(false)
  await strict.stop()
})

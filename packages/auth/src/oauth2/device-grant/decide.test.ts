import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditEvents } from '../../audit/schema.ts'
import { limitOf } from '../../limits/testing/limits.ts'
import { startTestAuth, type TestUser } from '../../testing.ts'
import { refused } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { testTerminals } from './testing/test-terminal.ts'

const env = { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' }
const auth = await startTestAuth({ ...agentApp, env })
afterAll(() => auth.stop())
// The windows of the test before are over.
beforeEach(() => auth.clock.advance('2m'))
const terminals = testTerminals(auth)
const agent = await terminals.register({ client_uri: 'https://terminal.example.com/' })

const unknown = { status: 404, body: { error: { code: 'NotFoundError' } } }
const from = (number: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${number}` } })

describe('the user who types a code', () => {
  it('sees which client asks for what, and for how long', async () => {
    const user = await auth.signedInUser()
    const code = await terminals.start(agent, { form: { scope: 'board' } })
    const { status, body } = await terminals.look(code, user)
    const now = auth.clock.now().getTime()
    expect([status, body]).toEqual([
      200,
      {
        clientId: agent.clientId,
        clientName: 'A terminal',
        clientUri: 'https://terminal.example.com/',
        resource: '/mcp',
        scopes: [{ name: 'board', description: 'Read the board' }],
        owners: [],
        userCode: code.user_code,
        expiresAtMillis: now + 600_000,
      },
    ])
  })

  it('can write it in either case, with or without the dash (section 6.1)', async () => {
    const user = await auth.signedInUser()
    const { user_code } = await terminals.start(agent)
    for (const typed of [user_code.toLowerCase(), user_code.replace('-', ' '), ` ${user_code}`]) {
      expect((await terminals.look({ user_code: typed }, user)).status).toBe(200)
    }
    expect(await terminals.look({ user_code: 'not a code' }, user)).toMatchObject(unknown)
  })

  it('finds what they have looked at in the copy of their data, and no code', async () => {
    const user = await auth.signedInUser()
    const code = await terminals.start(agent, { form: { scope: 'board' } })
    const exported = async () => (await auth.call('exportUserData', undefined, user.key)).body
    expect((await exported()).agentRequests).toEqual([])
    await terminals.look(code, user)
    const data = await exported()
    expect(data.agentRequests).toMatchObject([
      { clientId: agent.clientId, state: 'pending', scopes: ['board'], resource: '/mcp' },
    ])
    const text = JSON.stringify(data)
    for (const secret of [code.user_code, code.device_code]) expect(text).not.toContain(secret)
  })

  it('is the only one who can see it from the first look on', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const code = await terminals.start(agent)
    expect((await terminals.look(code, user)).status).toBe(200)
    for (const answer of [
      await terminals.look(code, other),
      await terminals.decide(code, other),
      await terminals.deny(code, other),
    ]) {
      expect(answer).toMatchObject(unknown)
    }
    expect((await terminals.decide(code, user)).status).toBe(204)
  })

  it('decides once', async () => {
    const user = await auth.signedInUser()
    const [allowed, denied] = [await terminals.start(agent), await terminals.start(agent)]
    await terminals.decide(allowed, user)
    await terminals.deny(denied, user)
    for (const code of [allowed, denied]) {
      expect(await terminals.decide(code, user)).toMatchObject(unknown)
      expect(await terminals.deny(code, user)).toMatchObject(unknown)
      expect(await terminals.look(code, user)).toMatchObject(unknown)
    }
    expect((await terminals.poll(agent, allowed)).status).toBe(200)
    expect(await terminals.poll(agent, denied)).toMatchObject(refused('access_denied'))
  })

  it('is in the trail with what they allowed', async () => {
    const user = await auth.signedInUser()
    await terminals.allowed(user, agent, { form: { scope: 'board' } })
    const rows = await auth.auth.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.actor, user.userId))
    const entry = rows.find(({ act }) => act === 'oauth2.allowed')
    expect(entry).toMatchObject({
      target: agent.clientId,
      details: { clientId: agent.clientId, scopes: ['board'], resource: '/mcp' },
    })
  })

  it('gives a fresh proof to allow it, and none to deny it', async () => {
    const user = await auth.signedInUser()
    const code = await terminals.start(agent)
    auth.clock.advance(599_999)
    expect((await terminals.decide(code, user)).status).toBe(204)
    auth.clock.advance(1)
    const late = await terminals.start(agent)
    const notFresh = { status: 403, body: { error: { code: 'RecentAuthenticationRequiredError' } } }
    expect(await terminals.decide(late, user)).toMatchObject(notFresh)
    expect((await terminals.deny(late, user)).status).toBe(204)
  })

  it('takes it back by signing out the device that allowed it', async () => {
    const user = await auth.signedInUser()
    const laptop = await auth.signIn(user)
    const code = await terminals.allowed({ key: laptop }, agent)
    await auth.call('revokeKey', { keyId: laptop.keyId }, user.key)
    expect(await terminals.poll(agent, code)).toMatchObject(refused('invalid_grant'))
  })

  it('takes no owner where no capability has tenants', async () => {
    const user = await auth.signedInUser()
    const code = await terminals.start(agent)
    const owner = crypto.randomUUID()
    expect(await terminals.decide(code, user, { owner })).toMatchObject(unknown)
    // Nothing was decided.
    expect((await terminals.decide(code, user)).status).toBe(204)
  })
})

describe('codes can’t be guessed (section 5.1)', () => {
  const operations = ['look', 'decide', 'deny'] as const
  const guess = (user: TestUser, index: number, address: number) => {
    const body = { userCode: '2222-2222' }
    const decision = operations[index % 3] === 'deny' ? 'deny' : 'allow'
    return operations[index % 3] === 'look'
      ? auth.call('getOAuth2DeviceRequest', body, user.key, from(address))
      : auth.call('decideOAuth2DeviceRequest', { ...body, decision }, user.key, from(address))
  }
  const times = (length: number) => Array.from({ length }, (_, index) => index)

  it('an account may look for ten in a minute, wherever it is', async () => {
    const user = await auth.signedInUser()
    const said: number[] = []
    for (const index of times(12)) said.push((await guess(user, index, index)).status)
    expect(said).toEqual([...Array(10).fill(404), 429, 429])
    expect(limitOf('oauth2 device code by account')).toBe(limitOf('device code by account'))
  })

  it('an address may look for fifty in a minute, with any accounts', async () => {
    const users = await Promise.all(times(6).map(() => auth.signedInUser()))
    const said: number[] = []
    for (const index of times(51)) {
      said.push((await guess(users[index % 6] as TestUser, index, 1)).status)
    }
    expect(said).toEqual([...Array(50).fill(404), 429])
  })

  it('an address may ask for ten in a minute', async () => {
    const said: number[] = []
    for (const _ of times(11)) said.push((await terminals.ask(agent)).status)
    expect(said).toEqual([...Array(10).fill(200), 429])
    expect((await terminals.ask(agent)).body).toMatchObject({ error: 'slow_down' })
  })
})

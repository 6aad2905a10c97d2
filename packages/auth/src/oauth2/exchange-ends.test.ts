import { afterAll, describe, expect, it } from 'vitest'
import { oauth2RevokedEvent } from '../events.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { dpopProof } from './client.ts'
import { verifyAccessToken } from './oauth2.ts'
import { issuer, testAgents } from './testing/test-agent.ts'
import { mail, openServiceHost, testServices } from './testing/test-exchange.ts'
import { files, testResourceServer } from './testing/test-resource-server.ts'

const host = await openServiceHost()
const auth = await startTestAuth(host.options)
afterAll(async () => {
  host.close()
  await auth.stop()
})

const agents = testAgents(auth)
const agent = await agents.register()
const { exchange, exchanged, signed } = testServices(auth)
const relay = host.at('relay')
const server = testResourceServer(auth, issuer)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const inDatabase = (text: string, ...values: unknown[]) => pool.query(text, values)

/** What both readers say to a token for the mail: this server, and one elsewhere. */
async function isGood(token: string) {
  const form = server.signed({ claims: { iss: mail, sub: mail } })
  const { body } = await server.ask(token, { form })
  const here = await verifyAccessToken(token, mail)
  expect(body.active).toBe(here !== null)
  return here !== null
}

/** A token of an agent for the files, and two that services got for it, one from the other. */
async function chain(user: TestUser, root?: string) {
  const first = root ?? (await agents.tokens(user, agent, { resource: files })).access_token
  auth.clock.advance('1s')
  const second = await exchanged(host.at('files'), first)
  auth.clock.advance('1s')
  const third = await exchanged(relay, second)
  return { first, second, third }
}

const grantsOf = async ({ key }: Pick<TestUser, 'key'>) =>
  (await auth.call('listOAuth2Grants', undefined, key)).body.grants as {
    grantId: string
    parentId?: string
    clientId: string
  }[]

const revoke = (key: TestKey, grantId: string) =>
  auth.call('revokeOAuth2Grant', undefined, key, { params: { grantId } })

const clientIdsOf = async (user: TestUser) => (await grantsOf(user)).map((each) => each.clientId)

async function grantOf(user: TestUser, clientId: string) {
  const found = (await grantsOf(user)).find((each) => each.clientId === clientId)
  return found?.grantId ?? expect.unreachable()
}

describe('each link ends what hangs below it', () => {
  const ends: Record<string, (user: TestUser, tokens: { first: string }) => Promise<unknown>> = {
    'the user revokes the first grant': async (user) =>
      revoke(user.key, await grantOf(user, agent.clientId)),
    'the agent gives its token back': (_, { first }) =>
      agents.send('revoke', { client_id: agent.clientId, token: first }),
    'the user signs out everywhere': ({ key }) =>
      auth.call('revokeAllKeys', { includeCurrent: false }, key),
    'the account is suspended': ({ userId }) => auth.within(() => suspendUser(userId)),
    'the account is deleted': (user) => auth.purge(user),
    // As a server of an earlier release would leave it.
    'only the row of the first says so': (user) =>
      inDatabase(
        `update svc_auth.oauth2_grants set state = 'revoked', revoked_at = now(), revoked_reason = 'owner'
         where user_id = $1 and ancestors is null`,
        user.userId,
      ),
    'the first grant is gone': ({ userId }) =>
      inDatabase(
        'delete from svc_auth.oauth2_grants where user_id = $1 and ancestors is null',
        userId,
      ),
  }
  it.each(Object.entries(ends))('when %s', async (_, end) => {
    const user = await auth.signedInUser()
    const tokens = await chain(user)
    expect([await isGood(tokens.second), await isGood(tokens.third)]).toEqual([true, true])
    await end(user, tokens)
    expect([await isGood(tokens.second), await isGood(tokens.third)]).toEqual([false, false])
    const again = await exchange(relay, tokens.second)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_request'])
  })

  it('and leaves what is above it', async () => {
    const user = await auth.signedInUser()
    const { second, third } = await chain(user)
    await revoke(user.key, await grantOf(user, relay))
    expect([await isGood(second), await isGood(third)]).toEqual([true, false])
    expect(await clientIdsOf(user)).toEqual([host.at('files'), agent.clientId])
  })

  it('when a service gives back what it got', async () => {
    const user = await auth.signedInUser()
    const { second, third } = await chain(user)
    const { status } = await agents.send('revoke', { token: second, ...signed(host.at('files')) })
    expect([status, await isGood(second), await isGood(third)]).toEqual([200, false, false])
    expect(await clientIdsOf(user)).toEqual([agent.clientId])
  })

  it('with an event and a line of the trail for each, which name the chain', async () => {
    const user = await auth.signedInUser()
    await chain(user)
    const told: { clientId: string }[] = []
    const leave = oauth2RevokedEvent.subscribe((event) => void told.push(event))
    await revoke(user.key, await grantOf(user, agent.clientId))
    leave()
    const clientIds = [agent.clientId, host.at('files'), relay]
    expect(told.map((each) => each.clientId).toSorted()).toEqual(clientIds.toSorted())
    const { rows } = await inDatabase(
      `select details->'actors' as actors from svc_auth.audit_events
       where act = 'oauth2.revoked' and actor = $1
       order by coalesce(jsonb_array_length((details->'actors')::jsonb), 0)`,
      user.userId,
    )
    const [a, f, r] = clientIds
    expect(rows.map(({ actors }) => actors)).toEqual([null, [f, a], [r, f, a]])
  })

  it('when the device is signed out that the first token is bound to', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const proof = async (key: TestKey) => ({
      dpop: await dpopProof(key, {
        method: 'POST',
        url: `${auth.url}/_auth/oauth2/token`,
        nowMillis: auth.clock.now().getTime(),
      }),
    })
    const code = await agents.allow(user, agent, { resource: files })
    const bound = await agents.redeem(agent, code, { headers: await proof(device) })
    const { key } = await auth.signedInUser()
    const headers = await proof(key)
    const token = await exchanged(host.at('files'), bound.body.access_token, { headers })
    const form = server.signed({ claims: { iss: mail, sub: mail } })
    expect((await server.ask(token, { form })).body.active).toBe(true)
    await auth.call('logout', undefined, device)
    const after = server.signed({ claims: { iss: mail, sub: mail } })
    expect((await server.ask(token, { form: after })).body.active).toBe(false)
  })
})

describe('a grant that was exchanged', () => {
  it('is deleted once it has expired, and its ancestors stay', async () => {
    const user = await auth.signedInUser()
    await chain(user)
    auth.clock.advance('61m')
    await auth.sweep()
    const { rows } = await inDatabase(
      'select client_id from svc_auth.oauth2_grants where user_id = $1',
      user.userId,
    )
    expect(rows).toEqual([{ client_id: agent.clientId }])
  })

  // Last, because it changes what later instances are configured with.
  it('is void when the application no longer lists one of the clients, from its next start on', async () => {
    const user = await auth.signedInUser()
    const { second, third } = await chain(user)
    const listed: Record<string, object> = host.options.options.authorizationServer.exchange
    delete listed[host.at('files')]
    const other = await auth.secondInstance()
    for (const token of [second, third]) {
      const form = server.signed({ claims: { iss: mail, sub: mail } })
      expect((await server.ask(token, { form, at: other })).body).toEqual({ active: false })
    }
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { configureAuth } from '../../configure-auth.ts'
import { oauth2RevokedEvent } from '../../events.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import type { TestKey } from '../../testing.ts'
import { issuer, testAgents } from '../testing/test-agent.ts'
import { files, testResourceServer } from '../testing/test-resource-server.ts'
import { startCompany } from './testing/test-company.ts'

const company = await startCompany()
const { auth, provider, assistant, linkedUser, redeem, tokenOf } = company
afterAll(company.stop)
const agents = testAgents(auth)
const links = linksOf(auth)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()

const grantsOf = async ({ key }: { key: TestKey }) =>
  (await auth.call('listOAuth2Grants', undefined, key)).body.grants as { grantId: string }[]

async function revoke(user: { key: TestKey }) {
  const [grant] = await grantsOf(user)
  const params = { grantId: grant?.grantId ?? expect.unreachable() }
  return auth.call('revokeOAuth2Grant', undefined, user.key, { params })
}

type User = Awaited<ReturnType<typeof linkedUser>>

describe('what an identity provider has allowed ends', () => {
  const ends: Record<string, (user: User, token: string) => Promise<unknown>> = {
    'the user disconnects the agent': revoke,
    'the agent gives its token back': (_, token) =>
      agents.send('revoke', { token, ...company.services.signed(assistant) }),
    'the user signs out everywhere': ({ key }) =>
      auth.call('revokeAllKeys', { includeCurrent: false }, key),
    'the account is suspended': ({ userId }) => auth.within(() => suspendUser(userId)),
    'the account is deleted': (user) => auth.purge(user),
    'the link with the provider is removed': (user) =>
      links.remove(user, { id: 'google' }, { password: user.password }),
  }
  it.each(Object.entries(ends))('when %s', async (_, end) => {
    const user = await linkedUser()
    const token = await tokenOf(user.sub)
    expect(await agents.isOpen(token)).toBe(true)
    await end(user, token)
    expect(await agents.isOpen(token)).toBe(false)
  })

  it('with an event and a line of the trail, when the link is removed', async () => {
    const user = await linkedUser()
    await tokenOf(user.sub)
    const told: object[] = []
    const leave = oauth2RevokedEvent.subscribe((event) => void told.push(event))
    await links.remove(user, { id: 'google' }, { password: user.password })
    leave()
    expect(told).toMatchObject([{ userId: user.userId, reason: 'unlinked' }])
    const { rows } = await pool.query(
      `select details->>'reason' as reason from svc_auth.audit_events
       where act = 'oauth2.revoked' and actor = $1`,
      [user.userId],
    )
    expect(rows).toEqual([{ reason: 'unlinked' }])
  })

  it('and leaves what the user has allowed', async () => {
    const user = await linkedUser()
    const own = await agents.register()
    const { access_token } = await agents.tokens(user, own)
    await tokenOf(user.sub)
    await links.remove(user, { id: 'google' }, { password: user.password })
    expect(await agents.isOpen(access_token)).toBe(true)
  })
})

describe('after its end', () => {
  it('the company decides: another assertion connects the agent again', async () => {
    const user = await linkedUser()
    await tokenOf(user.sub)
    await revoke(user)
    expect(await grantsOf(user)).toEqual([])
    expect(await agents.isOpen(await tokenOf(user.sub))).toBe(true)
    expect(await grantsOf(user)).toHaveLength(1)
  })

  it('another assertion connects the agent again, if its own provider is still linked', async () => {
    const user = await linkedUser()
    await links.put(user.userId, { id: 'kakao' }, user.sub)
    const token = await tokenOf(user.sub)
    await links.remove(user, { id: 'kakao' }, { password: user.password })
    expect(await agents.isOpen(token)).toBe(false)
    expect(await agents.isOpen(await tokenOf(user.sub))).toBe(true)
  })

  it('another assertion opens the account that the user is linked to next, and an old token opens none', async () => {
    const [one, next] = [await linkedUser(), await linkedUser()]
    const token = await tokenOf(one.sub)
    for (const user of [one, next]) {
      await links.remove(user, { id: 'google' }, { password: user.password })
    }
    await links.put(next.userId, { id: 'google' }, one.sub)
    expect(await agents.isOpen(token)).toBe(false)
    const again = await agents.open(await tokenOf(one.sub))
    expect(again).toMatchObject({ status: 200, body: { userId: next.userId } })
    expect(await grantsOf(one)).toEqual([])
  })

  it.each<[string, (user: User) => Promise<unknown>]>([
    ['the account is suspended', ({ userId }) => auth.within(() => suspendUser(userId))],
    [
      'the account waits for its deletion',
      (user) => auth.call('requestAccountDeletion', { password: user.password }, user.key),
    ],
    ['the account is deleted', (user) => auth.purge(user)],
    [
      'the link with the provider is removed',
      (user) => links.remove(user, { id: 'google' }, { password: user.password }),
    ],
  ])('no assertion gives access, if %s', async (_, end) => {
    const user = await linkedUser()
    await end(user)
    expect((await redeem(user.sub)).body.error).toBe('invalid_grant')
  })

  it('no assertion gives access to a user who must change the password first', async () => {
    const user = await linkedUser()
    const token = await tokenOf(user.sub)
    configureAuth({ enforcePasswordChange: true })
    await pool.query(
      'update svc_auth.users set password_change_required = true where user_id = $1',
      [user.userId],
    )
    expect((await redeem(user.sub)).body.error).toBe('invalid_grant')
    expect(await agents.isOpen(token)).toBe(false)
    configureAuth({ enforcePasswordChange: false })
  })
})

describe('the application', () => {
  // Last, because it changes what later instances are configured with.
  it('takes a client off the list of an identity provider: its tokens are void, from the next start on', async () => {
    const user = await linkedUser()
    const token = await tokenOf(user.sub)
    const atFiles = await tokenOf(user.sub, { claims: { resource: files } })
    const below = await company.services.exchanged(company.host.at('relay'), token, {
      form: { resource: files },
    })
    provider.clients.splice(provider.clients.indexOf(assistant), 1)
    const other = await auth.secondInstance()
    expect((await agents.open(token, { at: other })).status).toBe(401)
    const server = testResourceServer(auth, issuer)
    for (const elsewhere of [atFiles, below]) {
      expect((await server.ask(elsewhere)).body.active).toBe(true)
      expect((await server.ask(elsewhere, { at: other })).body).toEqual({ active: false })
    }
    // Its document names no other grant.
    expect((await redeem(user.sub, { at: other })).body.error).toBe('invalid_client')
  })
})

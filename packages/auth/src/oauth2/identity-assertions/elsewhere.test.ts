import { afterAll, describe, expect, it } from 'vitest'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { issuer, refused, testAgents } from '../testing/test-agent.ts'
import { mail } from '../testing/test-exchange.ts'
import { jwtOptions, testJwts, thumbprintOf } from '../testing/test-jwt-access-tokens.ts'
import { files, testResourceServer } from '../testing/test-resource-server.ts'
import { openCompany, testEmployees } from './testing/test-company.ts'

// The files check their tokens without asking, and a company decides who gets one.
const company = await openCompany(() => auth.clock.now())
const { host, idp, provider } = company
const { env, options } = jwtOptions(host)
const auth: Awaited<ReturnType<typeof startTestAuth>> = await startTestAuth({
  ...company.options,
  env: { ...company.options.env, ...env },
  options: {
    ...options,
    authorizationServer: {
      ...options.authorizationServer,
      identityProviders: { [idp.issuer]: provider },
    },
  },
})
afterAll(async () => {
  host.close()
  await auth.stop()
  await idp.stop()
})

const { assistant, services, linkedUser, redeem, tokenOf } = testEmployees(auth, company)
const agents = testAgents(auth)
const links = linksOf(auth)
const server = testResourceServer(auth, issuer)
const { read } = testJwts(auth, agents)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()

const atFiles = { claims: { resource: files } }
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)
type User = Awaited<ReturnType<typeof linkedUser>>

const mustChangePassword = (userId: string, is: boolean) =>
  pool.query('update svc_auth.users set password_change_required = $2 where user_id = $1', [
    userId,
    is,
  ])

describe('an assertion for a resource whose tokens are JWTs', () => {
  it('gives a JWT for the account that is linked, which lives as long as the resource says', async () => {
    const { userId, sub } = await linkedUser({ role: 'admin' })
    const { body } = await redeem(sub, atFiles)
    expect(body).toEqual({
      access_token: expect.stringContaining('.'),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'user:read board',
      resource: files,
    })
    const { header, claims } = await read(body.access_token)
    expect(header.typ).toBe('at+jwt')
    expect(claims).toEqual({
      iss: issuer,
      aud: files,
      sub: userId,
      client_id: assistant,
      iat: seconds(),
      exp: seconds() + 300,
      jti: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'user:read board',
      permissions: ['user:read'],
    })
    const asked = await server.ask(body.access_token)
    expect(asked.body).toEqual({ active: true, token_type: 'Bearer', ...claims })
  })

  it('gives an opaque token for a path of this API', async () => {
    const { sub } = await linkedUser()
    const { body } = await redeem(sub)
    expect(body).toMatchObject({ access_token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(body.expires_in).toBe(3600)
  })

  it('says in it which key it is bound to', async () => {
    const { sub } = await linkedUser()
    const key = await createTestKey()
    const nowMillis = auth.clock.now().getTime()
    const url = `${auth.url}/_auth/oauth2/token`
    const dpop = await dpopProof(key, { method: 'POST', url, nowMillis })
    const { body } = await redeem(sub, { ...atFiles, headers: { dpop } })
    expect(body.token_type).toBe('DPoP')
    expect((await read(body.access_token)).claims['cnf']).toEqual({ jkt: await thumbprintOf(key) })
  })

  it('gives one with the permissions that the account has by then', async () => {
    const { userId, sub } = await linkedUser({ role: 'admin' })
    await tokenOf(sub, atFiles)
    await pool.query(`update svc_auth.users set role = 'user' where user_id = $1`, [userId])
    expect((await read(await tokenOf(sub, atFiles))).claims['permissions']).toEqual([])
  })

  it.each<[string, (user: User) => Promise<unknown>]>([
    ['has to change the password', ({ userId }) => mustChangePassword(userId, true)],
    ['is suspended', ({ userId }) => auth.within(() => suspendUser(userId))],
    ['is deleted', (user) => auth.purge(user)],
  ])('gives none to a user who %s, in the words for an unknown one', async (_, end) => {
    const user = await linkedUser()
    await end(user)
    const unknown = await redeem('unknown', atFiles)
    expect(unknown).toMatchObject(refused('invalid_grant'))
    const { status, body } = await redeem(user.sub, atFiles)
    expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body })
  })

  const ends: Record<string, (user: User, token: string) => Promise<unknown>> = {
    'the link with the provider is removed': (user) =>
      links.remove(user, { id: 'google' }, { password: user.password }),
    'the link with another provider is removed': async (user) => {
      await links.put(user.userId, { id: 'kakao' }, user.sub)
      return links.remove(user, { id: 'kakao' }, { password: user.password })
    },
    'the agent gives it back': (_, token) =>
      agents.send('revoke', { token, ...services.signed(assistant) }),
    'the user must change the password': ({ userId }) => mustChangePassword(userId, true),
    'it expires': async () => auth.clock.advance('5m'),
  }
  it.each(Object.entries(ends))(
    'is not active any more, and can not be exchanged, once %s',
    async (_, end) => {
      const user = await linkedUser()
      const token = await tokenOf(user.sub, atFiles)
      const relay = host.at('relay')
      const below = await services.exchanged(relay, token, { form: { resource: mail } })
      const asMail = () => ({ form: server.signed({ claims: { iss: mail, sub: mail } }) })
      expect((await read(below, { audience: mail })).claims['act']).toEqual({
        sub: relay,
        act: { sub: assistant },
      })
      expect((await server.ask(below, asMail())).body.active).toBe(true)
      await end(user, token)
      expect((await server.ask(token)).body).toEqual({ active: false })
      expect((await server.ask(below, asMail())).body).toEqual({ active: false })
      const again = await services.exchange(relay, token, { form: { resource: mail } })
      expect(again).toMatchObject(refused('invalid_request'))
    },
  )
})

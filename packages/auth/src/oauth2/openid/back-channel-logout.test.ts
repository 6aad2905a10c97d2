import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { signOutEveryone } from '../../sign-out/sign-out.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestUser } from '../../testing.ts'
import { issuer } from '../testing/test-agent.ts'
import { openidOptions, testRelyingParty } from '../testing/test-openid.ts'

/** What applications were sent, by their paths, and how often they fail before they accept it. */
const told: { path: string; type: string; form: URLSearchParams }[] = []
let failures = 0
/** What they respond with. */
let page = ''
async function receive(request: IncomingMessage, response: ServerResponse) {
  const body = (await request.toArray()).join('')
  if (failures > 0) {
    failures -= 1
    response.writeHead(503).end()
    return
  }
  const { url: path = '', headers } = request
  const type = headers['content-type'] ?? ''
  told.push({ path, type, form: new URLSearchParams(body) })
  response.end(page)
}
const host = createServer((request, response) => void receive(request, response))
await once(host.listen(0, '127.0.0.1'), 'listening')
const at = `http://127.0.0.1:${(host.address() as AddressInfo).port}`

const { authorizationServer } = openidOptions.options
const { clients } = authorizationServer.openid
const auth = await startTestAuth({
  env: openidOptions.env,
  options: {
    authorizationServer: {
      ...authorizationServer,
      openid: {
        clients: {
          ...clients,
          intranet: { ...clients.intranet, backchannelLogoutUri: `${at}/intranet` },
          wiki: { ...clients.partner, trusted: true, backchannelLogoutUri: `${at}/wiki` },
        },
      },
    },
  },
})
afterAll(async () => {
  host.close()
  await auth.stop()
})
const intranet = testRelyingParty(auth)
const wiki = testRelyingParty(auth, 'wiki')
const partner = testRelyingParty(auth, 'partner')

const sidOf = async (party: typeof intranet, user: TestUser): Promise<string> => {
  const { id_token } = await party.signIn(user)
  return (await party.claimsOf(id_token)).claims.sid as string
}

/** What an application was sent about a session. */
const toldOf = (sid: unknown) =>
  told.filter(({ form }) => {
    const [, payload = ''] = (form.get('logout_token') ?? '').split('.')
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).sid === sid
  })

const untilTold = (sid: unknown) =>
  vi.waitFor(() => expect(toldOf(sid)).toHaveLength(1), { timeout: 15_000, interval: 50 })

describe('an application with a backchannelLogoutUri', () => {
  it('is told of the end of a session by a token of Back-Channel Logout, section 2.4', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    const now = Math.floor(auth.clock.now().getTime() / 1000)
    await auth.call('logout', {}, user.key)
    await untilTold(sid)
    const [{ path, type, form } = { path: '', type: '', form: new URLSearchParams() }] = toldOf(sid)
    expect([path, type]).toEqual(['/intranet', 'application/x-www-form-urlencoded'])
    const keys = await (await fetch(`${auth.url}/_auth/oauth2/jwks`)).json()
    const { payload, protectedHeader } = await jwtVerify(
      form.get('logout_token') ?? '',
      createLocalJWKSet(keys),
      { issuer, audience: 'intranet', typ: 'logout+jwt', currentDate: auth.clock.now() },
    )
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'new', typ: 'logout+jwt' })
    expect(payload).toEqual({
      iss: issuer,
      sub: user.publicId,
      aud: 'intranet',
      iat: now,
      exp: now + 120,
      jti: expect.any(String),
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
  })

  it('is told however the device is signed out: from elsewhere, everywhere, by a suspension, a deletion', async () => {
    const ends = [
      async (user: TestUser) => {
        const other = await auth.signIn(user)
        const { keyId } = user.key.registration
        return auth.call('revokeKey', { keyId }, other)
      },
      ({ key }: TestUser) => auth.call('revokeAllKeys', { includeCurrent: true }, key),
      ({ userId }: TestUser) => suspendUser(userId),
      ({ key, password }: TestUser) => auth.call('requestAccountDeletion', { password }, key),
    ]
    for (const end of ends) {
      const user = await auth.signedInUser()
      const sids = [await sidOf(intranet, user), await sidOf(wiki, user)]
      expect(new Set(sids).size).toBe(2)
      expect(await end(user)).not.toMatchObject({ body: { error: {} } })
      for (const sid of sids) await untilTold(sid)
    }
  })

  it('has one session with a device, which the next sign-in and the next key continue', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    expect(await sidOf(intranet, user)).toBe(sid)
    const elsewhere = { ...user, key: await auth.signIn(user) }
    const other = await sidOf(intranet, elsewhere)
    expect(other).not.toBe(sid)
    const key = await createTestKey()
    const rotated = await auth.call('rotateKey', key.registration, user.key)
    expect(rotated.status).toBe(200)
    expect(await sidOf(intranet, { ...user, key })).toBe(sid)
    expect(toldOf(sid)).toEqual([])
    await auth.call('logout', {}, key)
    await untilTold(sid)
    expect(toldOf(other)).toEqual([])
  })

  it('is told within an hour if no event has told of the end, as when everyone is signed out', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    await auth.within(() => signOutEveryone())
    const { db, parts, clock } = auth.auth
    const live = await auth.signedInUser()
    const liveSid = await sidOf(intranet, live)
    await auth.within(() => parts.sweep(db, clock.now()))
    await untilTold(sid)
    expect([toldOf(liveSid), await sidOf(intranet, live)]).toEqual([[], liveSid])
  })

  it('is told again until it has accepted it', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    failures = 1
    await auth.call('logout', {}, user.key)
    await untilTold(sid)
    expect(failures).toBe(0)
  }, 20_000)

  it('has accepted it with a status of 200, however long the page is that comes with it', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    page = 'x'.repeat(100_000)
    await auth.call('logout', {}, user.key)
    await untilTold(sid)
    page = ''
    const job = sql`select state from svc_jobs.job where name = 'auth.openid-logout' and data::text like ${`%${sid}%`}`
    await vi.waitFor(async () => {
      const { rows } = await auth.auth.db.execute(job)
      expect(rows).toEqual([{ state: 'completed' }])
    })
  })
})

describe('an application without one', () => {
  it('gets no sid, and is told nothing', async () => {
    const user = await auth.signedInUser()
    expect(await sidOf(partner, user)).toBeUndefined()
  })
})

describe('a logout token', () => {
  it('is no id_token_hint', async () => {
    const user = await auth.signedInUser()
    const sid = await sidOf(intranet, user)
    await auth.call('logout', {}, user.key)
    await untilTold(sid)
    const id_token_hint = toldOf(sid)[0]?.form.get('logout_token') ?? ''
    const again = { ...user, key: await auth.signIn(user) }
    expect(await intranet.answered(again, { id_token_hint })).toMatchObject({
      error: 'login_required',
    })
  })
})

import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserId } from '../caller/caller.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { oneTimeTokenAuth } from './one-time-token.ts'
import { oneTimeTokens } from './schema.ts'

const application = defineRouter({
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler((c) => getUserId(c)),
  me: route.get('/me').handler((c) => getUserId(c)),
})
const auth = await startTestAuth({ router: application })
afterAll(auth.stop)

async function issue(key: TestKey): Promise<string> {
  return (await auth.call('issueOneTimeToken', undefined, key)).body.token
}

const byHeader = (token: string, at = auth.server) =>
  at.fetch('/handshake', { headers: { authorization: `OTT ${token}` } })

const byQuery = (token: string) => auth.fetch(`/handshake?token=${token}`)

describe('issueOneTimeToken', () => {
  it('answers a token that lives for 30 seconds, and keeps its hash alone (A-153)', async () => {
    const { key } = await auth.signedInUser()
    const { body } = await auth.call('issueOneTimeToken', undefined, key)

    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(auth.clock.now().getTime() + 30_000).toISOString(),
    })
    expect(JSON.stringify(await auth.auth.db.select().from(oneTimeTokens))).not.toContain(
      body.token,
    )
    expect((await auth.call('issueOneTimeToken')).status).toBe(401)
  })
})

describe('oneTimeTokenAuth', () => {
  it('lets a token in once, by header or by query, and knows whose it is (A-321)', async () => {
    const { key, userId } = await auth.signedInUser()
    for (const present of [byHeader, byQuery]) {
      const token = await issue(key)
      expect(await (await present(token)).json()).toBe(userId)
      expect((await present(token)).status).toBe(401)
    }
  })

  it('takes the scheme however it is written (RFC 9110, 11.1)', async () => {
    const { key } = await auth.signedInUser()
    for (const scheme of ['ott', 'Ott']) {
      const headers = { authorization: `${scheme} ${await issue(key)}` }
      expect((await auth.fetch('/handshake', { headers })).status).toBe(200)
    }
  })

  it('lets one of sixteen in, on two instances', async () => {
    const { key } = await auth.signedInUser()
    const other = await auth.secondInstance()
    const token = await issue(key)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => byHeader(token, at % 2 ? other : auth.server)),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(15)
  })

  it('refuses a token whose 30 seconds are over', async () => {
    const { key } = await auth.signedInUser()
    const [inTime, tooLate] = [await issue(key), await issue(key)]
    auth.clock.advance(29_999)
    expect((await byHeader(inTime)).status).toBe(200)
    auth.clock.advance(1)
    expect((await byHeader(tooLate)).status).toBe(401)
  })

  it('refuses the token of a device that was signed out meanwhile', async () => {
    const { key } = await auth.signedInUser()
    const token = await issue(key)
    await auth.call('logout', undefined, key)
    expect((await byHeader(token)).status).toBe(401)
  })

  it('refuses the token of a key that has expired meanwhile', async () => {
    const { key } = await auth.signedInUser()
    auth.clock.advance(90 * 86_400_000 - 10_000)
    const token = await issue(key)
    auth.clock.advance('10s')
    const answer = await byHeader(token)
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { error: { code: 'KeyExpiredError' } },
    ])
  })

  it('refuses what is no token, or more than one', async () => {
    const { key } = await auth.signedInUser()
    const token = await issue(key)
    expect((await auth.fetch('/handshake')).status).toBe(401)
    expect((await auth.fetch('/handshake?token=')).status).toBe(401)
    expect((await auth.fetch(`/handshake?token=${token}&token=${token}`)).status).toBe(401)
    expect((await byHeader(`${token}x`)).status).toBe(401)
    expect((await byHeader(token)).status).toBe(200)
  })

  it('takes the scheme however it is written', async () => {
    const { key } = await auth.signedInUser()
    const headers = { authorization: `ott ${await issue(key)}` }
    expect((await auth.fetch('/handshake', { headers })).status).toBe(200)
  })

  it('is for routes that ask for it alone: nowhere else is a token worth anything', async () => {
    const { key } = await auth.signedInUser()
    const token = await issue(key)
    for (const authorization of [`OTT ${token}`, `Bearer ${token}`]) {
      expect((await auth.fetch('/me', { headers: { authorization } })).status).toBe(401)
    }
    expect((await auth.fetch(`/me?token=${token}`)).status).toBe(401)
  })

  it('is not in the log', async () => {
    const { key } = await auth.signedInUser()
    const token = await issue(key)
    await byQuery(token)
    await byQuery(token)
    expect(JSON.stringify(auth.logged)).not.toContain(token)
  })
})

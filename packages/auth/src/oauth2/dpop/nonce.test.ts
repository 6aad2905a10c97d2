import * as openid from 'openid-client'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { DeviceKey } from '../../device-key/device-key.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../../testing.ts'
import { dpopFetch, dpopProof } from '../client.ts'
import { issuer, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'

const step = 120_000
const realFetch = globalThis.fetch
const auth = await startTestAuth({ ...agentApp, env: { SVC_AUTH_DPOP_NONCE: 'on' } })
const other = await auth.secondInstance()
afterAll(auth.stop)
const agents = testAgents(auth)
const agent = await agents.register()
const key = await createTestKey()

const instances = [auth, other]
const setClocks = (millis: number) => {
  for (const { clock } of instances) clock.set(new Date(millis))
}
/** When one nonce becomes the newest. */
const start = (Math.floor(auth.clock.now().getTime() / step) + 1) * step
const advance = (millis: number) => setClocks(auth.clock.now().getTime() + millis)
setClocks(start)

/** Of a user who has just signed in. */
const allow = async () => agents.allow(await auth.signedInUser(), agent)

interface Given {
  nonce?: string
  token?: string
  by?: DeviceKey
  at?: typeof other
}

async function proof(path: string, { nonce, token, by = key, at = auth.server }: Given) {
  return dpopProof(by, {
    method: token === undefined ? 'POST' : 'GET',
    url: `${at.url}${path}`,
    nowMillis: auth.clock.now().getTime(),
    ...(nonce !== undefined && { nonce }),
    ...(token !== undefined && { token }),
  })
}

const redeem = async (code: { code: string; verifier: string }, given: Given = {}) =>
  agents.redeem(agent, code, {
    headers: { dpop: await proof('/_auth/oauth2/token', given) },
    at: given.at ?? auth.server,
  })

const open = async (token: string, given: Given = {}) => {
  const dpop = await proof('/mcp', { ...given, token })
  const headers = { authorization: `DPoP ${token}`, dpop }
  return agents.open(token, { headers, at: given.at ?? auth.server })
}

const nonceIn = ({ headers }: Pick<TestAnswer, 'headers'>) => headers.get('dpop-nonce') ?? undefined
const asked = async () => nonceIn(await redeem(await allow())) ?? ''
const bound = async (nonce: string) =>
  (await redeem(await allow(), { nonce })).body.access_token as string

describe('where nonces are asked for (RFC 9449, sections 8 and 9)', () => {
  it('the token endpoint refuses a proof without one, gives it, and has spent nothing', async () => {
    const code = await allow()
    const first = await redeem(code)
    expect(first).toMatchObject(refused('use_dpop_nonce'))
    expect(first.headers.get('cache-control')).toBe('no-store')
    const nonce = nonceIn(first) ?? expect.unreachable()
    const second = await redeem(code, { nonce })
    expect([second.status, second.body.token_type, nonceIn(second)]).toEqual([
      200,
      'DPoP',
      undefined,
    ])
  })

  it('a resource asks in its challenge, and opens with it', async () => {
    const nonce = await asked()
    const token = await bound(nonce)
    const first = await open(token)
    expect([first.status, nonceIn(first)]).toEqual([401, nonce])
    const challenge = 'DPoP error="use_dpop_nonce", algs="ES256 RS256"'
    expect(first.headers.get('www-authenticate')).toBe(challenge)
    const second = await open(token, { nonce })
    expect([second.status, second.headers.get('www-authenticate')]).toEqual([200, null])
  })

  it('one is good on every instance, also where its clock is behind', async () => {
    setClocks(start + 10 * step)
    other.clock.set(new Date(start + 10 * step - 5000))
    const nonce = await asked()
    const code = await allow()
    expect((await redeem(code, { nonce, at: other })).status).toBe(200)
  })

  it('is good for two to four minutes, and the next is given before it ends', async () => {
    setClocks(start + 20 * step)
    const nonce = await asked()
    const token = await bound(nonce)
    advance(step - 1)
    expect(nonceIn(await open(token, { nonce }))).toBeUndefined()
    advance(1)
    const late = await open(token, { nonce })
    const next = nonceIn(late) ?? expect.unreachable()
    expect([late.status, late.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(next).not.toBe(nonce)
    advance(step - 1)
    expect((await open(token, { nonce })).status).toBe(200)
    advance(1)
    expect((await open(token, { nonce })).status).toBe(401)
    expect((await open(token, { nonce: next })).status).toBe(200)
  })

  it('is none that this server has not made', async () => {
    const code = await allow()
    for (const nonce of ['', 'a nonce', 'x'.repeat(43)]) {
      expect(await redeem(code, { nonce })).toMatchObject(refused('use_dpop_nonce'))
    }
  })

  it('is given for no proof that does not hold', async () => {
    const code = await allow()
    const dpop = await proof('/elsewhere', {})
    const answer = await agents.redeem(agent, code, { headers: { dpop } })
    expect(answer).toMatchObject(refused('invalid_dpop_proof'))
    expect(nonceIn(answer)).toBeUndefined()
  })

  it('a client that binds nothing needs none', async () => {
    const { access_token } = await agents.tokens(await auth.signedInUser(), agent)
    expect(await agents.isOpen(access_token)).toBe(true)
  })
})

describe('a client of a server that asks for nonces', () => {
  it('dpopFetch sends a request again with the nonce, and keeps it for the next', async () => {
    setClocks(Date.now())
    const answered: number[] = []
    const send = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
      const answer = await realFetch(...given)
      answered.push(answer.status)
      return answer
    })
    const { code, verifier } = await allow()
    const grant = { grant_type: 'authorization_code', client_id: agent.clientId, code }
    const body = new URLSearchParams({ ...grant, code_verifier: verifier })
    answered.length = 0
    const ask = dpopFetch(key)
    const answer = await ask(`${auth.url}/_auth/oauth2/token`, { method: 'post', body })
    const { access_token: accessToken } = await answer.json()
    expect(answered).toEqual([400, 200])
    const call = dpopFetch(key, { accessToken })
    answered.length = 0
    for (const url of [`${auth.url}/mcp`, new URL('/mcp?a=1', auth.url)]) await call(url)
    expect(answered).toEqual([401, 200, 200])
    // What another nonce would not mend is answered as it is.
    answered.length = 0
    expect((await ask(`${auth.url}/_auth/oauth2/token`, { method: 'POST' })).status).toBe(400)
    expect((await dpopFetch(key, { accessToken: 'x'.repeat(43) })(`${auth.url}/mcp`)).status).toBe(
      401,
    )
    expect(answered).toEqual([400, 401])
    send.mockRestore()
  })

  it('openid-client does so too', async () => {
    setClocks(Date.now())
    const endpoint = `${auth.url}/_auth/oauth2/token`
    const server = { issuer, token_endpoint: endpoint }
    const config = new openid.Configuration(server, agent.clientId, undefined, openid.None())
    openid.allowInsecureRequests(config)
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    const { code, verifier } = await allow()
    const fields = { code, code_verifier: verifier }
    const first = await openid.genericGrantRequest(config, 'authorization_code', fields, { DPoP })
    expect(first.token_type).toBe('dpop')
    const resource = new URL('/mcp', auth.url)
    const openBound = () =>
      openid.fetchProtectedResource(config, first.access_token, resource, 'GET', null, undefined, {
        DPoP,
      })
    expect((await openBound()).status).toBe(200)
    advance(2 * step)
    expect((await openBound()).status).toBe(200)
  })
})

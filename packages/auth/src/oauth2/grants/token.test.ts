import { createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import type { DeviceKey } from '../../device-key/device-key.ts'
import { createTestKey, startTestAuth, type TestUser } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { pkce, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { verifyAccessToken } from '../verify-access-token.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)
const agents = testAgents(auth)
const agent = await agents.register()

/** RFC 7638, as a client works it out. */
function thumbprintOf({ registration }: DeviceKey) {
  const der = Buffer.from(registration.publicKey, 'base64')
  const jwk = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  return calculateJwkThumbprint(jwk)
}

describe('a refresh token', () => {
  it('gives way to the next; used again after seconds, it ends the whole family', async () => {
    const user = await auth.signedInUser()
    const first = await agents.tokens(user, agent)
    const second = await agents.refresh(agent, first.refresh_token)
    expect(second.status).toBe(200)
    expect(await agents.isOpen(second.body.access_token)).toBe(true)
    auth.clock.advance('20s')
    expect(await agents.refresh(agent, first.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await agents.isOpen(second.body.access_token)).toBe(false)
    expect(await agents.refresh(agent, second.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })

  it('is its client’s, and gives no more than was granted', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await agents.tokens(user, agent, { scope: 'user:read board' })
    const other = await agents.register()
    const attempt = (by: typeof agent, form = {}) =>
      agents.refresh(by, token.refresh_token, { form })
    expect(await attempt(other)).toMatchObject(refused('invalid_grant'))
    expect(await attempt(agent, { scope: 'user:read audit:read' })).toMatchObject(
      refused('invalid_scope'),
    )
    expect(await attempt(agent, { resource: `${auth.url}/other` })).toMatchObject(
      refused('invalid_target'),
    )
    const narrow = await attempt(agent, { scope: 'board' })
    expect(narrow.body.scope).toBe('board')
    expect((await agents.open(narrow.body.access_token)).body.permissions).toEqual([])
    // What was left out once was not given up.
    const whole = await agents.refresh(agent, narrow.body.refresh_token)
    expect(whole.body.scope).toBe('user:read board')
  })

  it('is good for thirty days from the last', async () => {
    const user = await auth.signedInUser()
    const first = await agents.tokens(user, agent)
    auth.clock.advance('29d')
    const second = await agents.refresh(agent, first.refresh_token)
    auth.clock.advance('29d')
    const third = await agents.refresh(agent, second.body.refresh_token)
    expect(third.status).toBe(200)
    auth.clock.advance('30d')
    expect(await agents.refresh(agent, third.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })

  it('needs the secret of a client that has one', async () => {
    const user = await auth.signedInUser()
    const method = { token_endpoint_auth_method: 'client_secret_post' }
    const confidential = await agents.register(method)
    const token = await agents.tokens(user, confidential)
    const { clientId } = confidential
    for (const clientSecret of [undefined, 'x'.repeat(43)]) {
      const impostor = { clientId, ...(clientSecret && { clientSecret }) }
      expect(await agents.refresh(impostor, token.refresh_token)).toMatchObject(
        refused('invalid_client', 401),
      )
    }
    expect((await agents.refresh(confidential, token.refresh_token)).status).toBe(200)
  })
})

describe('a token that is bound to a key (RFC 9449)', () => {
  const proof = (key: DeviceKey, path: string, { method = 'POST', token = '' } = {}) =>
    dpopProof(key, {
      method,
      url: `${auth.url}${path}`,
      nowMillis: auth.clock.now().getTime(),
      ...(token && { token }),
    })
  const withProof = async (key: DeviceKey) => ({
    headers: { dpop: await proof(key, '/_auth/oauth2/token') },
  })
  const bound = async (user: TestUser, key: DeviceKey) => {
    const code = await agents.allow(user, agent)
    const { status, body } = await agents.redeem(agent, code, await withProof(key))
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    return body as { access_token: string; refresh_token: string }
  }
  const opened = async (token: string, key: DeviceKey, scheme = 'DPoP') => {
    const dpop = await proof(key, '/mcp', { method: 'GET', token })
    const headers = { authorization: `${scheme} ${token}`, dpop }
    return (await agents.open(token, { headers })).status
  }

  it('opens nothing without it, and is renewed with it alone', async () => {
    const [user, key, other] = [
      await auth.signedInUser(),
      await createTestKey(),
      await createTestKey(),
    ]
    const token = await bound(user, key)
    expect(await opened(token.access_token, key)).toBe(200)
    expect(await opened(token.access_token, key, 'dpop')).toBe(200)
    expect(await opened(token.access_token, other)).toBe(401)
    expect(await agents.isOpen(token.access_token)).toBe(false)
    const dpop = await proof(key, '/mcp', { method: 'GET', token: token.access_token })
    expect((await agents.open(token.access_token, { headers: { dpop } })).status).toBe(401)
    expect(await verifyAccessToken(token.access_token, '/mcp')).toBeNull()
    for (const options of [{}, await withProof(other)]) {
      const answer = await agents.refresh(agent, token.refresh_token, options)
      expect(answer).toMatchObject(refused('invalid_dpop_proof'))
    }
    const next = await agents.refresh(agent, token.refresh_token, await withProof(key))
    expect(await opened(next.body.access_token, key)).toBe(200)
    const plain = await agents.tokens(user, agent)
    const late = await agents.refresh(agent, plain.refresh_token, await withProof(key))
    expect(late).toMatchObject(refused('invalid_dpop_proof'))
  })

  it('is given for a code that names the key in dpop_jkt, to that key alone (section 10)', async () => {
    const [user, key, other] = [
      await auth.signedInUser(),
      await createTestKey(),
      await createTestKey(),
    ]
    const dpop_jkt = await thumbprintOf(key)
    const code = await agents.allow(user, agent, { dpop_jkt })
    for (const options of [{}, await withProof(other)]) {
      expect(await agents.redeem(agent, code, options)).toMatchObject(refused('invalid_dpop_proof'))
    }
    const { status, body } = await agents.redeem(agent, code, await withProof(key))
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect(await opened(body.access_token, key)).toBe(200)
  })

  it('is not asked for with a dpop_jkt that is no thumbprint', async () => {
    const user = await auth.signedInUser()
    for (const dpop_jkt of ['', 'short', `${'a'.repeat(43)}=`, 'a'.repeat(44)]) {
      const asked = agents.asked(agent, pkce().challenge, { dpop_jkt })
      expect(await agents.decide(user, asked)).toMatchObject(refused('invalid_request'))
    }
  })

  it('dies with the device whose key it is', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const token = await bound(user, device)
    expect(await opened(token.access_token, device)).toBe(200)
    const { grants } = (await auth.call('listOAuth2Grants', undefined, user.key)).body
    expect(grants).toMatchObject([{ keyId: device.keyId }])
    await auth.call('revokeKey', { keyId: device.keyId }, user.key)
    expect(await opened(token.access_token, device)).toBe(401)
    const answer = await agents.refresh(agent, token.refresh_token, await withProof(device))
    expect(answer).toMatchObject(refused('invalid_grant'))
  })

  it('is what a client gets that has promised to bind its tokens, and nothing else', async () => {
    const user = await auth.signedInUser()
    const promised = await agents.register({ dpop_bound_access_tokens: true })
    const code = await agents.allow(user, promised)
    expect(await agents.redeem(promised, code)).toMatchObject(refused('invalid_dpop_proof'))
    const key = await createTestKey()
    expect((await agents.redeem(promised, code, await withProof(key))).body.token_type).toBe('DPoP')
  })
})

import { defineRouter, route } from '@svc/core'
import { SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { getAuth } from '../caller/caller.ts'
import { readAuthEnv } from '../env.ts'
import { startTestAuth } from '../testing.ts'
import { issueLegacyToken } from './legacy-jwt.ts'

const router = defineRouter({
  me: route.get('/me').handler((c) => {
    const { userId, keyId } = getAuth(c)
    return { userId, keyId }
  }),
})
const secret = 'a legacy secret of at least 32 characters'
const modern = await startTestAuth({ router })
const legacy = await startTestAuth({ router, env: { SVC_AUTH_JWT_SECRET: secret } })
afterAll(async () => {
  await legacy.stop()
  await modern.stop()
})

const ask = async (token: string, { server } = legacy) =>
  server.fetch('/me', { headers: { authorization: `Bearer ${token}` } })

function sign(claims: object, { key = secret, alg = 'HS256', issuer = 'svc-auth' } = {}) {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg })
    .setIssuer(issuer)
    .setExpirationTime(new Date(legacy.clock.now().getTime() + 3_600_000))
    .sign(new TextEncoder().encode(key))
}

describe('legacy tokens', () => {
  it('sign in their account where a secret is set, and nowhere else (A-083)', async () => {
    const { userId } = await legacy.createUser()
    const token = await legacy.within(() => issueLegacyToken(userId))

    expect(await (await ask(token)).json()).toEqual({ userId, keyId: '' })
    expect((await ask(token, modern)).status).toBe(401)
  })

  it('expire, after an hour unless told otherwise', async () => {
    const { userId } = await legacy.createUser()
    const token = await legacy.within(() => issueLegacyToken(userId))
    legacy.clock.advance('59m')
    expect((await ask(token)).status).toBe(200)
    legacy.clock.advance('1m')
    expect((await ask(token)).status).toBe(401)
  })

  it('end with an account-wide revocation', async () => {
    const user = await legacy.signedInUser()
    const token = await legacy.within(() => issueLegacyToken(user.userId))
    await legacy.call('revokeAllKeys', {}, user.key)
    expect((await ask(token)).status).toBe(401)
  })

  it('end with the key that they name', async () => {
    const { userId, key } = await legacy.signedInUser()
    const token = await sign({ userId, keyId: key.keyId })
    expect((await ask(token)).status).toBe(200)
    await legacy.call('logout', undefined, key)
    expect((await ask(token)).status).toBe(401)
  })

  it('are refused when they are not ours', async () => {
    const { userId } = await legacy.createUser()
    const other = await legacy.signedInUser()
    const endless = new SignJWT({ userId })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('svc-auth')
    const forged = await Promise.all([
      sign({ userId }, { key: 'another secret of at least 32 characters' }),
      sign({ userId }, { alg: 'HS512' }),
      sign({ userId }, { issuer: 'somebody-else' }),
      sign({ userId: 'not-a-uuid' }),
      sign({ userId: { $ne: '' } }),
      sign({ userId, keyId: other.key.keyId }),
      sign({}),
      endless.sign(new TextEncoder().encode(secret)),
    ])
    for (const token of forged) expect((await ask(token)).status).toBe(401)
  })

  it('need a secret of 32 characters at least', () => {
    const env = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'x', SVC_AUTH_JWT_SECRET: 'x'.repeat(31) }
    expect(() => readAuthEnv(env)).toThrow('SVC_AUTH_JWT_SECRET must have at least 32 characters')
  })
})

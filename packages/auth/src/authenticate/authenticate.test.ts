import { createHash, createHmac, sign as signBytes } from 'node:crypto'
import { request } from 'node:http'
import { defineRouter, type HandlerContext, route } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import {
  getAuth,
  getKeyId,
  getLocale,
  getOptionalAuth,
  getRole,
  getUser,
  getUserId,
} from '../caller/caller.ts'
import { deviceKeys } from '../keys/schema.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { optionalAuth } from './authenticate.ts'

const whoAmI = (c: HandlerContext) => ({
  auth: getAuth(c).userId,
  user: getUser(c),
  userId: getUserId(c),
  role: getRole(c),
  locale: getLocale(c),
  keyId: getKeyId(c),
})

const application = defineRouter({
  me: route.get('/me').handler(whoAmI),
  change: route.post('/change').handler(() => 'changed'),
  open: route
    .get('/open')
    .skip(['auth'])
    .handler((c) => ({ signedIn: getOptionalAuth(c) !== null })),
  maybe: route
    .get('/maybe')
    .use([optionalAuth])
    .handler((c) => ({ userId: getOptionalAuth(c)?.userId ?? null })),
  careless: route.get('/careless').skip(['auth']).handler(whoAmI),
})

const auth = await startTestAuth({ router: application })
afterAll(auth.stop)
const { userId, key } = await auth.signedInUser()

interface Token {
  header?: object
  claims?: object
  key?: TestKey
}

/** A request JWT for `GET /me` but for what is given. */
async function tokenWith({ header, claims, key: signer = key }: Token = {}) {
  const now = Math.floor(auth.clock.now().getTime() / 1000)
  const head = { alg: signer.algorithm, typ: 'svc-req+jwt', kid: signer.keyId, ...header }
  const payload = {
    keyId: signer.keyId,
    iat: now,
    exp: now + 60,
    jti: crypto.randomUUID(),
    aud: auth.url,
    htm: 'GET',
    htu: '/me',
    bh: createHash('sha256').digest('base64url'),
    ...claims,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(head)}.${part(payload)}`
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', signer.privateKey)
  const privateKey = {
    key: Buffer.from(pkcs8),
    format: 'der',
    type: 'pkcs8',
    dsaEncoding: 'ieee-p1363',
  } as const
  return `${signed}.${signBytes('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

async function ask(authorization: string | null, path = '/me', init: RequestInit = {}) {
  const headers = authorization === null ? {} : { authorization }
  const answer = await auth.fetch(path, { ...init, headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

const bearer = async (token: Token = {}) => `Bearer ${await tokenWith(token)}`
const codeOf = async (token: Token) => (await ask(await bearer(token))).body.error?.code

describe('authenticate', () => {
  it('lets in what a live key has signed, and says who it was (A-018, A-048, A-063)', async () => {
    expect(await ask(await bearer())).toMatchObject({
      status: 200,
      body: {
        auth: userId,
        user: { userId, status: 'active' },
        userId,
        role: 'user',
        locale: 'en',
        keyId: key.keyId,
      },
    })
  })

  it('knows the role, the locale and the key of each caller (A-048)', async () => {
    const admin = await auth.signedInUser({ role: 'admin' })
    await auth.call('updateLocale', { locale: 'ko' }, admin.key)
    expect((await ask(await bearer({ key: admin.key }))).body).toMatchObject({
      user: { userId: admin.userId, email: admin.email },
      userId: admin.userId,
      role: 'admin',
      locale: 'ko',
      keyId: admin.key.keyId,
    })
  })

  it('gives handlers nothing of the key itself', async () => {
    const { body } = await ask(await bearer())

    expect(Object.keys(body.user)).not.toContain('publicKey')
    expect(JSON.stringify(body)).not.toContain(key.registration.publicKey)
  })

  it('refuses a request without a session (A-137)', async () => {
    for (const authorization of [null, '', 'Bearer', 'Bearer ', 'Basic dTpw', 'bearer x.y.z']) {
      expect(await ask(authorization)).toMatchObject({
        status: 401,
        body: { error: { code: 'UnauthorizedError' } },
      })
    }
  })

  it('is applied globally, and open routes skip it (A-318)', async () => {
    expect((await ask(null, '/open')).body).toEqual({ signedIn: false })
    expect((await ask(null)).status).toBe(401)
    // A handler that asks for the caller, on a route without authentication, refuses every request.
    expect((await ask(await bearer(), '/careless')).status).toBe(401)
  })

  it('refuses keys that are unknown, revoked or waiting, and other signatures, all alike (A-316)', async () => {
    const stranger = await auth.signedInUser()
    const revoked = await auth.signedInUser()
    await auth.call('logout', undefined, revoked.key)
    const waiting = await auth.signedInUser()
    await auth.auth.db
      .update(deviceKeys)
      .set({ state: 'pending' })
      .where(eq(deviceKeys.keyId, waiting.key.keyId))
    const unknown = { ...key, keyId: 'key-unknown' }
    const forged = { ...key, privateKey: stranger.key.privateKey }

    const answers = await Promise.all(
      [unknown, revoked.key, waiting.key, forged].map(async (signer) =>
        ask(await bearer({ key: signer })),
      ),
    )
    const said = answers.map(({ status, body: { message, __type, error, ...rest } }) =>
      JSON.stringify({ status, message, __type, code: error.code, rest }),
    )
    expect(new Set(said).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
  })

  it('refuses a key that has expired, and says so to its owner (A-316)', async () => {
    const old = await auth.signedInUser()
    await auth.auth.db
      .update(deviceKeys)
      .set({ expiresAt: auth.clock.now() })
      .where(eq(deviceKeys.keyId, old.key.keyId))

    expect(await codeOf({ key: old.key })).toBe('KeyExpiredError')
  })

  it('takes the algorithm from the stored key, not from the token', async () => {
    const stolen = Buffer.from(key.registration.publicKey, 'base64')
    const token = await tokenWith({ header: { alg: 'HS256' } })
    const signed = token.slice(0, token.lastIndexOf('.'))
    const hmac = createHmac('sha256', stolen).update(signed).digest('base64url')

    expect((await ask(`Bearer ${signed}.${hmac}`)).status).toBe(401)
    for (const alg of ['none', 'None', 'RS256', 'PS256', 'ES384', 'EdDSA', '']) {
      expect(await codeOf({ header: { alg } })).toBe('UnauthorizedError')
    }
  })

  it('refuses a header that brings a key or an extension of its own', async () => {
    for (const name of ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64']) {
      expect(await codeOf({ header: { [name]: [] } })).toBe('UnauthorizedError')
    }
  })

  it('binds the token to time, audience, method, target and body (A-317)', async () => {
    const now = Math.floor(auth.clock.now().getTime() / 1000)
    expect(await codeOf({ claims: { iat: now - 90, exp: now - 30 } })).toBe('TokenExpiredError')
    const wrong = [
      { exp: now + 301 },
      { iat: now + 31, exp: now + 60 },
      { aud: 'https://other.example.com' },
      { aud: [auth.url] },
      { htm: 'POST' },
      { htu: '/me?x=1' },
      { htu: '/other' },
      { bh: createHash('sha256').update('x').digest('base64url') },
      { jti: 'short' },
      { jti: undefined },
      { aud: undefined },
      { exp: undefined },
    ]
    for (const claims of wrong) expect(await codeOf({ claims })).toBe('RequestBindingError')
    expect((await ask(await bearer({ claims: { iat: now + 30 } }))).status).toBe(200)
  })

  it('binds the token to the bytes of the body', async () => {
    const body = '{"a":1}'
    const bh = createHash('sha256').update(body).digest('base64url')
    const claims = { htm: 'POST', htu: '/change', bh }
    const post = async (sent: string) =>
      ask(await bearer({ claims }), '/change', { method: 'POST', body: sent })

    expect((await post(body)).status).toBe(200)
    expect((await post('{"a":2}')).body.error.code).toBe('RequestBindingError')
    expect((await post(`${body} `)).status).toBe(401)
  })

  it('takes a token that changes something once, and one that does not as long as it lives', async () => {
    const reading = await bearer()
    expect((await ask(reading)).status).toBe(200)
    expect((await ask(reading)).status).toBe(200)
    const changing = await bearer({ claims: { htm: 'POST', htu: '/change' } })
    const send = () => ask(changing, '/change', { method: 'POST' })
    expect((await send()).status).toBe(200)
    expect((await send()).body.error.code).toBe('RequestReplayedError')
  })

  it('refuses two Authorization headers, of which Node shows only one', async () => {
    const [host, good] = [new URL(auth.url).host, await bearer()]
    const askWith = (...authorization: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const pairs = authorization.flatMap((value) => ['Authorization', value])
        request(`${auth.url}/me`, { headers: ['Host', host, ...pairs] }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
    expect(await askWith(good)).toBe(200)
    expect(await askWith(good, good)).toBe(401)
  })

  it('refuses an account that may not sign in, after its signature', async () => {
    const status = async (state: 'suspended' | 'pending_deletion') => {
      const user = await auth.signedInUser()
      await auth.auth.db.update(users).set({ status: state }).where(eq(users.userId, user.userId))
      return (await ask(await bearer({ key: user.key }))).body.error.code
    }
    expect(await status('suspended')).toBe('AccountDisabledError')
    expect(await status('pending_deletion')).toBe('AccountPendingDeletionError')
  })

  it('reads the key on every request, so that a revocation counts on the next, on every instance (A-208)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.secondInstance()
    expect((await auth.call('getAuthSession', undefined, user.key, { at: other })).status).toBe(200)
    await auth.call('logout', undefined, user.key)

    expect((await auth.call('getAuthSession', undefined, user.key, { at: other })).status).toBe(401)
  })

  it('is never a failure, with any junk in the header', async () => {
    const junk = ['Bearer a.b.c', `Bearer ${'x'.repeat(8000)}`, 'Bearer ..', 'Bearer %00.%00.%00']
    for (const authorization of junk) expect((await ask(authorization)).status).toBe(401)
  })
})

describe('step-up', () => {
  it('asks an account with a second factor for a fresh proof of it, and the signature alone is refused (A-138)', async () => {
    const user = await auth.signedInUser()
    const since = (at: Date) =>
      auth.auth.db.update(users).set({ secondFactorSince: at }).where(eq(users.userId, user.userId))
    await since(new Date(auth.clock.now().getTime() - 3_600_000))
    const proved = (at: Date) =>
      auth.auth.db
        .update(deviceKeys)
        .set({ secondFactorProvedAt: at })
        .where(eq(deviceKeys.keyId, user.key.keyId))
    const revokeAll = () => auth.call('revokeAllKeys', {}, user.key)
    const refused = { status: 403, body: { error: { code: 'StepUpRequiredError' } } }

    expect(await revokeAll()).toMatchObject(refused)
    await proved(new Date(auth.clock.now().getTime() - 600_000))
    expect(await revokeAll()).toMatchObject(refused)
    await proved(new Date(auth.clock.now().getTime() - 599_000))
    await since(new Date(auth.clock.now().getTime() - 598_000))
    expect(await revokeAll()).toMatchObject(refused)
    await since(new Date(auth.clock.now().getTime() - 599_000))
    expect((await revokeAll()).status).toBe(200)
    // The device that stays has just proved it, for this (decisions 16).
    expect((await revokeAll()).status).toBe(200)
    expect((await auth.call('revokeAllKeys', {})).status).toBe(401)
  })
})

describe('optionalAuth', () => {
  it('stands in for the global middleware, and knows the caller where there is one (A-319)', async () => {
    expect((await ask(null, '/maybe')).body).toEqual({ userId: null })
    const signed = await bearer({ claims: { htu: '/maybe' } })
    expect((await ask(signed, '/maybe')).body).toEqual({ userId })
  })

  it('refuses a signature that is not good', async () => {
    expect((await ask('Bearer x.y.z', '/maybe')).status).toBe(401)
  })
})

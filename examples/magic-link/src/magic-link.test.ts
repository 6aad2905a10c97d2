import { randomBytes } from 'node:crypto'
import {
  authenticate,
  createAuthLifecycle,
  createAuthRouter,
  exportUserData,
  suspendUser,
} from '@svc/auth/server'
import { createTestKey, startTestAuth, type TestUser } from '@svc/auth/testing'
import { defineRouter, defineServer } from '@svc/core'
import { routeMapOf } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { magicLinkCapability } from './capability.ts'
import { magicLinkClient } from './client.ts'
import { magicLink } from './contract.ts'
import { codeAt } from './test-authenticator-app.ts'
import { tokenInLink } from './test-token.ts'

const lifecycle = createAuthLifecycle({ capabilities: [magicLinkCapability()] })
const router = defineRouter({})
  .packages([createAuthRouter({ contracts: [magicLink] })])
  .use([authenticate])
const auth = await startTestAuth({
  definition: defineServer().routes(router).lifecycle(lifecycle),
  // Secrets of authenticator apps are kept encrypted.
  env: { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}` },
})
afterAll(() => auth.stop())

async function post(path: string, body: object, at = auth.server) {
  const headers = { 'content-type': 'application/json' }
  const answer = await at.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const ask = (email: string) => post('/_auth/magic-link', { email })
const spend = async (token: string, at = auth.server) => {
  const key = await createTestKey()
  return { key, ...(await post('/_auth/magic-link/sign-in', { token, ...key.registration }, at)) }
}
const mailedTo = (email: string) =>
  auth.sentBy(() => ask(email), email, 'magic-link.sign-in').then(tokenInLink)

/** Gives a user an authenticator app. Each code is of a step of its own. */
async function enrolApp({ key }: Pick<TestUser, 'key'>) {
  const { body } = await auth.call('mfaTotpEnroll', {}, key)
  const code = () => {
    auth.clock.advance('30s')
    return codeAt(body.secret, auth.clock.now())
  }
  expect((await auth.call('mfaTotpConfirm', { code: code() }, key)).status).toBe(200)
  return code
}

describe('a magic link', () => {
  it('signs the device in that spends it, once', async () => {
    const { email, userId } = await auth.createUser()
    const token = await mailedTo(email)
    const { key, ...answer } = await spend(token)
    expect(answer).toMatchObject({ status: 200, body: { mfaRequired: false, userId } })
    expect((await auth.call('listKeys', {}, key)).status).toBe(200)
    expect(await spend(token)).toMatchObject({
      status: 401,
      body: { error: { code: 'InvalidMagicLinkError' } },
    })
  })

  it('lets one of sixteen in that spend it at once, on two instances', async () => {
    const { email } = await auth.createUser()
    const token = await mailedTo(email)
    const other = await auth.secondInstance()
    const all = Array.from({ length: 16 }, (_, at) => spend(token, at % 2 ? other : auth.server))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 401),
    ])
  })

  it('is answered the same for an address without an account, which gets no mail', async () => {
    const { email } = await auth.createUser()
    const known = await ask(email)
    const unknown = await ask('nobody@example.com')
    expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body))
    expect(unknown.status).toBe(known.status)
    await auth.sentBy(() => ask(email), email, 'magic-link.sign-in')
    expect(await auth.messagesTo('nobody@example.com')).toEqual([])
  })

  it('is not good for a key that is wrong, and is good for a right one after that', async () => {
    const { email } = await auth.createUser()
    const token = await mailedTo(email)
    const { registration } = await createTestKey()
    const wrong = { token, ...registration, fingerprint: 'f'.repeat(64) }
    expect(await post('/_auth/magic-link/sign-in', wrong)).toMatchObject({ status: 400 })
    expect(await spend(token)).toMatchObject({ status: 200 })
  })

  it('ends with its time, with a newer one, and with a sign-out of all devices', async () => {
    const { email } = await auth.createUser()
    const older = await mailedTo(email)
    const newer = await mailedTo(email)
    expect(await spend(older)).toMatchObject({ status: 401 })
    auth.clock.advance('16m')
    expect(await spend(newer)).toMatchObject({ status: 401 })
    const user = await auth.signedInUser()
    const ended = await mailedTo(user.email)
    await auth.call('revokeAllKeys', {}, user.key)
    expect(await spend(ended)).toMatchObject({ status: 401 })
  })

  it('ends when the account leaves its address', async () => {
    const user = await auth.signedInUser()
    const token = await mailedTo(user.email)
    const email = `new-${user.email}`
    const verificationToken = await auth.verificationToken(email, 'email_change')
    const body = { email, verificationToken, currentPassword: user.password }
    expect((await auth.call('changeEmail', body, user.key)).status).toBe(200)
    expect(await spend(token)).toMatchObject({ status: 401 })
  })

  it('is a first factor: an account with a second one is asked for it', async () => {
    const user = await auth.signedInUser()
    const code = await enrolApp(user)
    const { key, status, body } = await spend(await mailedTo(user.email))
    expect({ status, mfaRequired: body.mfaRequired }).toEqual({ status: 202, mfaRequired: true })
    expect((await auth.call('listKeys', {}, key)).status).toBe(401)
    const challenge = body.challenge.secret
    expect(await auth.call('mfaVerify', { challenge, code: code() })).toMatchObject({ status: 200 })
    expect((await auth.call('listKeys', {}, key)).status).toBe(200)
  })

  it('signs in no account that was suspended', async () => {
    const { email, userId } = await auth.createUser()
    const token = await mailedTo(email)
    await suspendUser(userId)
    expect(await spend(token)).toMatchObject({ status: 401 })
  })
})

describe('an account', () => {
  it('takes its sign-ins by link with it, and leaves none behind', async () => {
    const { email, userId } = await auth.createUser()
    await spend(await mailedTo(email))
    const data = await exportUserData(userId)
    expect(data['magicLinkSignIns']).toEqual([
      { at: expect.any(Date), address: expect.any(String) },
    ])
  })
})

describe('a list of capabilities', () => {
  it('is refused where the capability of a contract is missing', async () => {
    const definition = defineServer().routes(router).lifecycle(createAuthLifecycle())
    await expect(startTestAuth({ definition })).rejects.toThrow(/magic-link/)
  })
})

describe('the client', () => {
  it('knows where the operations are', () => {
    expect(magicLinkClient.routeMap).toEqual(routeMapOf(defineRouter(magicLink.operations)))
  })
})

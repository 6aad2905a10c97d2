import { defineRouter, route } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { afterAll, describe, expect, it } from 'vitest'
import { issueLegacyToken } from '../authenticate/legacy-jwt.ts'
import { oneTimeTokenAuth } from '../one-time-token/one-time-token-auth.ts'
import { routeMap } from '../route-map.generated.ts'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'

const router = defineRouter({
  stream: route
    .get('/stream')
    .use([oneTimeTokenAuth])
    .handler(() => 'opened'),
})
const auth = await startTestAuth({
  router,
  env: { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(() => auth.stop())
const user = await auth.signedInUser()
const { email, key, userId } = user
const newcomer = 'newcomer@example.com'

/** Makes a fresh one of each, by the place where it belongs. */
const credentials = {
  'a request token': async () => {
    const request = directRequest(auth.url, { ...routeMap.getAuthSession, input: {} })
    const { authorization = '' } = await auth.signerOf(key)({ ...request, body: '' })
    return authorization.replace('Bearer ', '')
  },
  'a legacy token': () => issueLegacyToken(userId),
  'a one-time token': async () =>
    (await auth.call('issueOneTimeToken', undefined, key)).body.token as string,
  'a code': () => auth.requestCode(email, 'password_reset'),
  'a token to sign in': () => auth.verificationToken(email),
  'a token to register': () => auth.verificationToken(newcomer, 'registration'),
  'a token to reset': () => auth.verificationToken(email, 'password_reset'),
  'a token to delete': () => auth.verificationToken(email, 'account_deletion'),
  'a token to change the address': () => auth.verificationToken(email, 'email_change'),
  'a password': async () => testPassword,
}
type Credential = keyof typeof credentials

const get = async (path: string, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization }
  return (await auth.fetch(path, { headers })).status
}
const loginWith = async (proof: object) => {
  const { registration } = await createTestKey()
  return (await auth.call('login', { email, ...proof, ...registration })).status
}
const registerWith = async (verificationToken: string, address: string) => {
  const { registration } = await createTestKey()
  const body = { email: address, verificationToken, password: testPassword, ...registration }
  return (await auth.call('register', body)).status
}

/** Every place that takes one, with what it takes. */
const places: Record<string, [Credential[], (presented: string) => Promise<number>]> = {
  'as a signature': [
    ['a request token', 'a legacy token'],
    (presented) => get('/_auth/session', `Bearer ${presented}`),
  ],
  'as a signature of another scheme': [
    [],
    (presented) => get('/_auth/session', `OTT ${presented}`),
  ],
  'as a one-time token': [['a one-time token'], (presented) => get('/stream', `OTT ${presented}`)],
  'as a bearer of a stream': [[], (presented) => get('/stream', `Bearer ${presented}`)],
  'in the query of a stream': [
    ['a one-time token'],
    (presented) => get(`/stream?token=${encodeURIComponent(presented)}`),
  ],
  'in the query of an operation': [
    [],
    (presented) => get(`/_auth/session?token=${encodeURIComponent(presented)}`),
  ],
  'as a code': [
    ['a code'],
    async (presented) => {
      const use = { target: email, targetType: 'email', purpose: 'password_reset' }
      return (await auth.call('verifyCode', { ...use, code: presented })).status
    },
  ],
  'as a code to sign in': [
    [],
    async (presented) => {
      const use = { target: email, targetType: 'email', purpose: 'login' }
      return (await auth.call('verifyCode', { ...use, code: presented })).status
    },
  ],
  'as a token to sign in': [
    ['a token to sign in'],
    (verificationToken) => loginWith({ verificationToken }),
  ],
  'as a token to register': [
    ['a token to register'],
    (presented) => registerWith(presented, newcomer),
  ],
  'as a token to register somebody else': [
    [],
    (presented) => registerWith(presented, 'somebody.else@example.com'),
  ],
  'as a password': [['a password'], (password) => loginWith({ password })],
}

describe.each(Object.entries(places))('%s', (_place, [taken, present]) => {
  it.each(Object.entries(credentials))('%s', async (name, make) => {
    const status = await present(await make())
    if (taken.includes(name as Credential)) expect(status).toBe(200)
    else expect([400, 401]).toContain(status)
  })
})

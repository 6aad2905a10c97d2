import { randomUUID } from 'node:crypto'
import { defineRouter, route } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as events from '../../events.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { routeMap } from '../../route-map.generated.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../../testing.ts'
import { dumpTables } from './dump-tables.ts'

const router = defineRouter({
  stream: route
    .get('/stream')
    .use([oneTimeTokenAuth])
    .handler(() => 'opened'),
})
const auth = await startTestAuth({ router })
afterAll(() => auth.stop())
const { db } = auth.auth

const told: unknown[] = []
for (const event of Object.values(events)) event.subscribe((payload) => void told.push(payload))

/** Everything that somebody typed, was sent or was given, and that opens something. */
const secrets: string[] = []
/** All but those that hand one out. */
const answers: TestAnswer[] = []
let code = ''
let unspent = ''

const secret = (name: string) => {
  const text = `${name.replaceAll(' ', '-')}-${randomUUID()}`
  secrets.push(text)
  return text
}
const call: typeof auth.call = async (...given) => {
  const answer = await auth.call(...given)
  answers.push(answer)
  return answer
}
const send = async (path: string, init: RequestInit) => {
  const answer = await auth.fetch(path, init)
  const { status, headers } = answer
  answers.push({ status, headers, body: await answer.text() })
}
const post = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})

beforeAll(async () => {
  const email = `${randomUUID()}@example.com`
  const first = secret('first password')
  const second = secret('second password')
  const key = await createTestKey()
  const { registration } = key

  code = await auth.requestCode(email, 'registration')
  const use = { target: email, targetType: 'email', purpose: 'registration' }
  await call('verifyCode', { ...use, code: '000000' })
  const { verificationToken } = (await auth.call('verifyCode', { ...use, code })).body
  secrets.push(verificationToken)
  const proof = { email, verificationToken, ...registration }
  await call('register', { ...proof, password: 'short' })
  await call('register', { ...proof, password: first })
  await call('register', { ...proof, password: first })

  // What is sent in the wrong place, and what cannot be read at all.
  await call('login', { email: secret('in the address'), password: first, ...registration })
  await call('login', { email, password: { text: secret('in an object') }, ...registration })
  await call('login', { email, password: secret('wrong'), ...registration, publicKey: first })
  await call('login', { email, password: secret('wrong'), ...registration, keyId: first })
  await call('login', { email, password: secret('wrong'), ...registration })
  await call('login', { email, password: first, [secret('a name')]: 1, ...registration })
  await call('login', { email, password: secret('too long').repeat(40), ...registration })
  await call('login', { email, verificationToken, ...registration })
  await send('/_auth/login', post(`{"email":"${email}","password":"${secret('cut off')}`))
  await send(`/_auth/login?password=${first}`, post('{}'))
  await send(`/_auth/nowhere?token=${randomUUID()}`, post('{}'))

  await call('changePassword', { currentPassword: secret('wrong'), newPassword: second }, key)
  await call('changePassword', { currentPassword: first, newPassword: 'short' }, key)
  await call('changePassword', { currentPassword: first, newPassword: second }, key)
  const { token } = (await auth.call('issueOneTimeToken', undefined, key)).body
  secrets.push(token)
  await send(`/stream?token=${token}`, {})
  await send(`/stream?token=${token}`, {})
  await send('/stream', { headers: { authorization: `OTT ${token}` } })
  const live = (await auth.call('issueOneTimeToken', undefined, key)).body.token
  secrets.push(live)

  const request = directRequest(auth.url, { ...routeMap.getAuthSession, input: {} })
  const { authorization = '' } = await auth.signerOf(key)({ ...request, body: '' })
  unspent = authorization.split('.').at(-1) ?? ''
  secrets.push(unspent)
  await send('/_auth/session', { headers: { authorization } })
  await send('/_auth/session', { headers: { authorization: `${authorization}x` } })
  await auth.auth.keyUse.flush()
})

const found = (text: string) => secrets.filter((each) => text.includes(each))
const aloneIn = (text: string) => new RegExp(`(?<![\\w.-])${code}(?![\\w-])`).test(text)

describe('what opens something', () => {
  it('was really used here', () => {
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 204, 400, 401, 404]))
    expect(secrets.length).toBeGreaterThan(12)
    expect(told.length).toBeGreaterThan(2)
  })

  it('is in no line of the log', () => {
    const lines = JSON.stringify(auth.logged)
    expect(found(lines)).toEqual([])
    expect(aloneIn(lines)).toBe(false)
  })

  it('is in no answer but the one that gives it', () => {
    const bodies = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]]))
    expect(found(bodies.join('\n'))).toEqual([])
  })

  it('is in no row of any table', async () => {
    const rows = await dumpTables(db)
    expect(rows).toContain('password.changed')
    expect(found(rows)).toEqual([])
    expect(aloneIn(rows)).toBe(false)
  })

  it('is in no event', () => {
    expect(found(JSON.stringify(told))).toEqual([])
  })
})

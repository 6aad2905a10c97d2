import { request } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { deviceKeys } from '../keys/schema.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { proofOf } from '../proof/testing/test-proof.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { done } from '../test-answers.ts'
import { createTestKey } from '../testing.ts'
import { type Asked, answerOf, said, sha512, startSigning } from './testing/test-application.ts'
import { signMessage } from './testing/test-message.ts'

const { auth, user, machine, ask, post } = await startSigning()
afterAll(() => auth.stop())
const { clock } = auth
const later = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)
const all = ['created', 'expires', 'keyid', 'nonce', 'tag']

describe('its refusals', () => {
  it('are one for keys that are unknown, revoked, a device’s, and for other signatures (A-137, A-316)', async () => {
    const stranger = await createTestKey()
    const revoked = await machineOf(auth, user)
    await done(auth.call('logout', undefined, revoked))
    const rsa = await createTestKey('RS256')
    await done(auth.call('createMachineKey', { ...rsa.registration, permissions: [] }, user.key))
    const answers = await Promise.all([
      ask({ key: stranger }),
      ask({ key: revoked }),
      ask({ key: user.key }),
      ask({ key: { ...machine, privateKey: stranger.privateKey } }),
      ask({ key: { ...machine, privateKey: rsa.privateKey, algorithm: 'RS256' } }),
      ask({ key: { ...rsa, privateKey: machine.privateKey, algorithm: 'ES256' } }),
      ask({ paramValues: { tag: 'other' } }),
      ask({ sent: { headers: { signature: 'sig1=:AA==:' } } }),
    ])
    const unsigned = await answerOf(`${auth.url}/me`, {})
    expect(new Set([...answers, unsigned].map(said)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401, code: 'UnauthorizedError' })
  })

  it('are one if it comes with a token, a proof or another of ours: they could be of two callers', async () => {
    const url = `${auth.url}/me`
    const now = clock.now()
    const signed = await signMessage(machine, { url, now })
    const token = await auth.signerOf(machine)({ method: 'GET', url, body: '' })
    const two = await signMessage(machine, { url, now, headers: signed, label: 'sig2' })
    for (const headers of [
      { ...signed, ...token },
      { ...signed, authorization: 'Basic eDp5' },
      two,
    ]) {
      const answer = await fetch(url, { headers })
      expect([answer.status, (await answer.json()).error.code]).toEqual([401, 'UnauthorizedError'])
    }
    const proof = await fetch(url, {
      headers: { ...signed, 'x-svc-auth-profile': 'clientProofV1' },
    })
    expect(proof.status).toBe(400)
    const path = '/_auth/keys/list'
    const proved = await proofOf({ key: user.key, clientId: user.userId, now, path })
    const list = { method: 'POST', body: '{}' }
    const listed = (headers: Record<string, string>) =>
      answerOf(`${auth.url}${path}`, { ...list, headers })
    expect(await listed({ ...signed, ...proved })).toMatchObject({ code: 'PROFILE_REJECTED' })
    expect(await listed(proved)).toMatchObject({ status: 200 })
  })

  it('are the same where no signature is needed: one that is not valid is refused', async () => {
    const maybe = (headers: Record<string, string>) => ask({ path: '/maybe', sent: { headers } })
    for (const headers of [{ signature: 'x' }, { 'signature-input': 'x' }]) {
      expect(await maybe(headers)).toMatchObject({ status: 401, code: 'UnauthorizedError' })
    }
    expect(await ask({ path: '/maybe', key: user.key })).toMatchObject({ status: 401 })
  })

  it('say nothing of what was changed on the way: method, path, query or header', async () => {
    const fields = ['@method', '@target-uri', 'accept']
    const covered = { fields, headers: { accept: 'text/html' } }
    for (const sent of [
      { path: '/me?x=1' },
      { path: '/maybe' },
      { method: 'HEAD' },
      { headers: { accept: '*/*' } },
    ]) {
      const url = `${auth.url}${sent.path ?? '/me'}`
      const headers = await signMessage(machine, {
        url: `${auth.url}/me`,
        now: clock.now(),
        ...covered,
      })
      const answer = await fetch(url, { ...sent, headers: { ...headers, ...sent.headers } })
      expect(answer.status, JSON.stringify(sent)).toBe(401)
    }
    expect((await ask(covered)).status).toBe(200)
  })

  it.each<[string, string, Asked]>([
    ['without a time', 'created', { params: ['keyid', 'nonce', 'tag'] }],
    ['of the future', 'created', { now: later(31) }],
    [
      'that is to live longer than a token',
      'expires',
      { params: all, paramValues: { expires: later(301) } },
    ],
    [
      'that ends when it begins',
      'expires',
      { params: all, now: later(1), paramValues: { expires: later(1) } },
    ],
    ['without a nonce', 'nonce', { params: ['created', 'keyid', 'tag'] }],
    ['with a short nonce', 'nonce', { paramValues: { nonce: 'short' } }],
    ['with a nonce that is not plain', 'nonce', { paramValues: { nonce: 'sixteen and more' } }],
    ['without the method', 'components', { fields: ['@target-uri'] }],
    ['without the target', 'components', { fields: ['@method', '@authority', '@path'] }],
    ['without the authority', 'components', { fields: ['@method', '@path', '@query'] }],
    [
      'of a cookie, which the trail would keep',
      'components',
      { fields: ['@method', '@target-uri', 'cookie'], headers: { cookie: 'a=b' } },
    ],
  ])('name what is wrong with one %s: %s', async (_, claim, asked) => {
    expect(await ask(asked)).toMatchObject({ status: 401, code: 'RequestBindingError', claim })
  })

  const bare = ['@method', '@target-uri']
  it.each<[string, string, Asked]>([
    ['whose digest is not signed', 'components', { fields: [...bare, 'content-type'] }],
    ['whose type is not signed', 'components', { fields: [...bare, 'content-digest'] }],
    ['that is another', 'content-digest', { sent: { body: '{"a":2}' } }],
    [
      'with no digest by SHA-256',
      'content-digest',
      { headers: { 'content-digest': sha512('{"a":1}') } },
    ],
    [
      'with a digest that is none',
      'content-digest',
      { headers: { 'content-digest': 'sha-256=x' } },
    ],
  ])('name what is wrong with a body %s: %s', async (_, claim, asked) => {
    expect(await post(asked)).toMatchObject({ status: 401, code: 'RequestBindingError', claim })
  })

  it('name what is wrong with an empty body that is sent in chunks: its digest is not signed', async () => {
    const url = `${auth.url}/poke`
    const headers = await signMessage(machine, { url, method: 'POST', now: clock.now() })
    const chunked = (more: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(url, { method: 'POST', headers: { ...headers, ...more } }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
    expect(await chunked({ 'transfer-encoding': 'chunked' })).toBe(401)
    expect(await chunked({})).toBe(200)
  })

  it('tell the owner of an ended key, and of an account that may not act, as for a token', async () => {
    expect(await ask({ now: later(-300) })).toMatchObject({ code: 'TokenExpiredError' })
    expect(
      await ask({ params: all, now: later(-90), paramValues: { expires: later(0) } }),
    ).toMatchObject({ code: 'TokenExpiredError' })
    const other = await auth.signedInUser()
    const [old, own] = [await machineOf(auth, other), await machineOf(auth, other)]
    const ended = { expiresAt: clock.now() }
    await auth.auth.db.update(deviceKeys).set(ended).where(eq(deviceKeys.keyId, old.keyId))
    expect(await ask({ key: old })).toMatchObject({ status: 401, code: 'KeyExpiredError' })
    expect(await ask({ key: own })).toMatchObject({ status: 200 })
    await suspendUser(other.userId)
    const byToken = await auth.call('getAuthSession', undefined, own)
    expect(byToken.status).toBe(401)
    expect(said(await ask({ key: own }))).toBe(said(byToken))
  })
})

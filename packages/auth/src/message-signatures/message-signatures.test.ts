import { afterAll, describe, expect, it } from 'vitest'
import { done } from '../test-answers.ts'
import { createTestKey } from '../testing.ts'
import { sha512, startSigning } from './testing/test-application.ts'
import { digestOf, signMessage } from './testing/test-message.ts'

const { auth, user, machine, ask, post } = await startSigning()
afterAll(() => auth.stop())
const { clock } = auth
const expires = new Date(clock.now().getTime() + 60_000)
const proxied = { 'x-forwarded-host': 'api.example.com' }

describe('a message signature of a machine key (RFC 9421)', () => {
  it('is accepted in place of a request token, and says who it was', async () => {
    const parts = ['@method', '@authority', '@path', '@query']
    for (const asked of [
      {},
      { path: '/me?x=1&y=%20' },
      { fields: parts },
      { fields: parts, path: '/me?x=1' },
      { fields: [...parts, '@scheme', '@request-target', '@target-uri'] },
      { params: ['keyid', 'alg', 'tag', 'nonce', 'expires', 'created'], paramValues: { expires } },
      { fields: ['@method', '@target-uri', 'user-agent'], headers: { 'user-agent': 'x, y' } },
    ]) {
      const { status, body } = await ask(asked)
      expect({ status, ...body }, JSON.stringify(asked)).toEqual({
        status: 200,
        userId: user.userId,
        kind: 'machine',
      })
    }
  })

  it('can be by each algorithm of our keys', async () => {
    const key = await createTestKey('RS256')
    await done(auth.call('createMachineKey', { ...key.registration, permissions: [] }, user.key))
    const params = ['created', 'keyid', 'alg', 'nonce', 'tag']
    for (const each of [machine, key])
      expect(await post({ key: each, params })).toMatchObject({ status: 200, body: { a: 1 } })
  })

  it('signs a body by its digest, also one that goes to a file', async () => {
    expect(await post()).toMatchObject({ status: 200, body: { a: 1 } })
    const body = 'x'.repeat(200_000)
    const upload = {
      path: '/upload',
      body,
      headers: { 'content-type': 'application/octet-stream' },
    }
    expect(await post(upload)).toMatchObject({ status: 200, body: { text: body } })
    expect(await post({ ...upload, sent: { body: `y${body.slice(1)}` } })).toMatchObject({
      status: 401,
      claim: 'content-digest',
    })
    const both = { 'content-digest': `${sha512('{"a":1}')}, ${digestOf('{"a":1}')}` }
    expect(await post({ headers: both })).toMatchObject({ status: 200 })
  })

  it('needs no digest of a body that is not there', async () => {
    const fields = ['@method', '@target-uri']
    expect(await ask({ path: '/poke', method: 'POST', fields })).toMatchObject({ status: 200 })
  })

  it('is for the origin that the client has called, also behind a proxy that changes the host', async () => {
    const url = 'https://api.example.com/me'
    const direct = async (headers: Record<string, string>) =>
      (await fetch(`${auth.url}/me`, { headers })).status
    for (const fields of [undefined, ['@method', '@authority', '@path', '@query']]) {
      const signed = await signMessage(machine, {
        url,
        now: clock.now(),
        ...(fields && { fields }),
      })
      expect(await direct({ ...signed, ...proxied })).toBe(200)
      expect(await direct(signed), 'the origin of the host is another').toBe(401)
      expect(await direct({ ...signed, 'x-forwarded-host': 'evil.example.com' })).toBe(401)
    }
    const others = await signMessage(machine, {
      url: 'https://other.example.com/me',
      now: clock.now(),
    })
    for (const host of ['other.example.com', 'api.example.com'])
      expect(await direct({ ...others, 'x-forwarded-host': host })).toBe(401)
  })

  it('lets a machine do what it may do with a token, and no more', async () => {
    expect(await ask({ path: '/person' })).toMatchObject({ status: 403, code: 'ForbiddenError' })
    const { userId } = user
    expect(await ask({ path: '/maybe' })).toMatchObject({ status: 200, body: { userId } })
  })

  it('stands beside signatures of others, which are not read', async () => {
    const url = `${auth.url}/me`
    const now = clock.now()
    const gateway = { tag: 'gateway', nonce: 'x' }
    const byGateway = { url, now, label: 'gw', paramValues: gateway, fields: ['@method'] }
    const first = await signMessage(await createTestKey(), byGateway)
    const both = await signMessage(machine, { url, now, headers: first })
    expect(both['Signature-Input']).toMatch(/^gw=.*, sig1=/)
    expect((await fetch(url, { headers: both })).status).toBe(200)

    const token = await auth.signerOf(user.key)({ method: 'GET', url, body: '' })
    const answer = await fetch(url, { headers: { ...first, ...token } })
    expect(await answer.json()).toEqual({ userId: user.userId, kind: 'device' })
    expect((await fetch(url, { headers: first })).status).toBe(401)
    expect((await (await fetch(`${auth.url}/maybe`, { headers: first })).json()).userId).toBeNull()
  })
})

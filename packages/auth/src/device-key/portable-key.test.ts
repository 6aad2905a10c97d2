import { requestSigner } from '@svc/core/client'
import { afterAll, describe, expect, it } from 'vitest'
import { createPortableKey, openPortableKey } from '../index.ts'
import { startTestAuth } from '../testing.ts'

const auth = await startTestAuth()
afterAll(auth.stop)

/** A key that was kept as text, under an account. */
async function kept() {
  const { registration, ...key } = await createPortableKey()
  const { email, password, userId } = await auth.createUser()
  const { status } = await auth.call('login', { email, password, ...registration })
  expect(status).toBe(200)
  return { key: JSON.parse(JSON.stringify(key)), registration, userId }
}

describe('a portable key', () => {
  it('signs for its account after it was kept as text (A-327)', async () => {
    const { key, userId } = await kept()
    const { status, body } = await auth.call(
      'getAuthSession',
      undefined,
      await openPortableKey(key),
    )
    expect([status, body.userId, body.keyId]).toEqual([200, userId, key.keyId])
  })

  it('tells the server of its public half alone', async () => {
    const { key, registration } = await kept()
    expect(Object.keys(registration)).toEqual(['publicKey', 'keyId', 'fingerprint', 'algorithm'])
    expect(registration).toMatchObject({ keyId: key.keyId, algorithm: 'ES256' })
    expect(JSON.stringify(registration)).not.toContain(key.privateKey)
    // An ES256 key in DER has 91 bytes.
    expect(Buffer.from(registration.publicKey, 'base64')).toHaveLength(91)
  })

  it('cannot be read out any more once it is opened, and does nothing but sign', async () => {
    const { privateKey } = await openPortableKey(await createPortableKey())
    expect([privateKey.extractable, privateKey.usages]).toEqual([false, ['sign']])
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow()
  })

  it('is another one each time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, createPortableKey))
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(8)
    expect(new Set(keys.map(({ privateKey }) => privateKey)).size).toBe(8)
  })

  it('signs nothing under the name of another', async () => {
    const [one, other] = [await kept(), await kept()]
    const mixed = await openPortableKey({ ...one.key, keyId: other.key.keyId })
    expect((await auth.call('getAuthSession', undefined, mixed)).status).toBe(401)
  })

  it('of RS256 is opened too', async () => {
    const parameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 }
    const publicExponent = new Uint8Array([1, 0, 1])
    const { privateKey } = await crypto.subtle.generateKey(
      { ...parameters, publicExponent },
      true,
      ['sign', 'verify'],
    )
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
    const key = await openPortableKey({
      keyId: 'rsa-key-1',
      algorithm: 'RS256',
      privateKey: pkcs8.toString('base64'),
    })
    const request = { method: 'GET', url: 'https://api.example.com/me' }
    const { authorization } = await requestSigner(key)(request)
    expect(authorization?.split('.')).toHaveLength(3)
  })

  it('is none when the text is not', async () => {
    const key = await createPortableKey()
    for (const privateKey of ['', '%', 'AAAA', key.registration.publicKey]) {
      await expect(openPortableKey({ ...key, privateKey })).rejects.toThrow()
    }
  })
})

import { createHash, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSigningKey } from '../testing/signed-fetch.ts'
import { type RequestToSign, requestSigner, signRequest } from './sign-request.ts'

const request = { method: 'POST', url: 'https://api.example.com/orders?a=1&b=%20', body: '{"a":1}' }

async function signed(given: RequestToSign = request) {
  const key = await createSigningKey('device-key-1')
  const { authorization } = await requestSigner(key)(given)
  const [header, payload, signature] = (authorization ?? '').replace(/^Bearer /, '').split('.') as [
    string,
    string,
    string,
  ]
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { key, header, payload, signature, claims: decode(payload), head: decode(header) }
}

describe('requestSigner', () => {
  it('binds the token to method, path with query, audience and body', async () => {
    const { claims, head } = await signed()

    expect(head).toEqual({ alg: 'ES256', typ: 'svc-req+jwt', kid: 'device-key-1' })
    expect(claims).toMatchObject({
      keyId: 'device-key-1',
      aud: 'https://api.example.com',
      htm: 'POST',
      htu: '/orders?a=1&b=%20',
      bh: createHash('sha256').update('{"a":1}').digest('base64url'),
    })
    expect(claims.exp - claims.iat).toBe(60)
  })

  it('hashes the empty string where there is no body', async () => {
    const { claims } = await signed({ ...request, method: 'GET', body: '' })

    expect(claims.bh).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
  })

  it('hashes bytes as they are', async () => {
    const body = new Uint8Array([0, 0xff, 0xc3, 0x28])
    const { claims } = await signed({ ...request, body })

    expect(claims.bh).toBe(createHash('sha256').update(body).digest('base64url'))
  })

  it('signs the path and query as they stand on the request line', async () => {
    const htuOf = async (path: string) =>
      (await signed({ method: 'GET', url: `https://api.example.com${path}` })).claims.htu

    expect(await htuOf('')).toBe('/')
    expect(await htuOf('/a?')).toBe('/a?')
    expect(await htuOf('/a/../é?q=ü#part')).toBe('/%C3%A9?q=%C3%BC')
  })

  it('takes the time and the audience that it is given', async () => {
    const key = await createSigningKey()
    const nowMillis = Date.UTC(2030, 0, 1)
    const { authorization } = await signRequest(
      key,
      { ...request, nowMillis },
      { audience: 'https://public.example.com' },
    )

    const payload = Buffer.from(authorization.split('.')[1] as string, 'base64url')
    expect(JSON.parse(payload.toString())).toMatchObject({
      iat: nowMillis / 1000,
      exp: nowMillis / 1000 + 60,
      aud: 'https://public.example.com',
    })
  })

  it('takes the id and the end that it is given, for what is to be good for one time', async () => {
    const given = { jti: 'an id of the caller', expiresAtMillis: Date.UTC(2030, 0, 1, 0, 4) + 999 }
    const at = { ...request, nowMillis: Date.UTC(2030, 0, 1) }
    const { authorization } = await signRequest(await createSigningKey(), at, given)

    const payload = Buffer.from(authorization.split('.')[1] as string, 'base64url')
    const exp = Date.UTC(2030, 0, 1, 0, 4) / 1000
    expect(JSON.parse(payload.toString())).toMatchObject({ jti: given.jti, exp })
  })

  it('never uses a jti twice and gives it 128 bits', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await signed()).claims.jti),
    )

    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(16)
  })

  it('signs with 64 bytes that another implementation verifies', async () => {
    const { key, header, payload, signature } = await signed()
    const bytes = Buffer.from(signature, 'base64url')
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', key.publicKey))

    expect(bytes).toHaveLength(64)
    expect(
      verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        { key: spki, format: 'der', type: 'spki', dsaEncoding: 'ieee-p1363' },
        bytes,
      ),
    ).toBe(true)
  })
})

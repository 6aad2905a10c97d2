import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EnvironmentError } from '@svc/core'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { readSigningKeys } from './signing-keys.ts'

const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) })
const ec = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve })
const { privateKey, publicKey } = ec()
const own = jwk(privateKey)

const read = (keys: unknown) =>
  readSigningKeys({
    SVC_AUTH_OPENID_KEYS: typeof keys === 'string' ? keys : JSON.stringify(keys),
  })

describe('SVC_AUTH_OPENID_KEYS', () => {
  it('is a list or a set of private keys, of which only the public halves are published', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    for (const given of [[own, jwk(rsa)], { keys: [own, jwk(rsa)] }]) {
      const keys = read(given)
      expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'RS256'])
      for (const { published } of keys) {
        expect(Object.keys(published).filter((name) => /^(d|p|q|dp|dq|qi)$/.test(name))).toEqual([])
      }
    }
  })

  it('names a key by its kid, or by its thumbprint (RFC 7638)', async () => {
    expect(read([{ ...own, kid: 'of March' }])[0].kid).toBe('of March')
    expect(read([own])[0].kid).toBe(await calculateJwkThumbprint(own))
  })

  it('may be the text of a file', async () => {
    const file = join(tmpdir(), `openid-keys-${crypto.randomUUID()}`)
    await writeFile(file, JSON.stringify([own]), { mode: 0o600 })
    expect(readSigningKeys({ SVC_AUTH_OPENID_KEYS_FILE: file })).toHaveLength(1)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no list', '"key"'],
    ['an empty list', []],
    ['a public key', [jwk(publicKey)]],
    ['a key of another curve', [jwk(ec('P-384').privateKey)]],
    ['a short key', [jwk(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)]],
    ['a secret', [{ kty: 'oct', k: 'c2VjcmV0' }]],
    ['two halves of different keys', [{ ...own, ...jwk(ec().publicKey) }]],
    ['a key for encryption', [{ ...own, use: 'enc' }]],
    ['a key for another algorithm', [{ ...own, alg: 'ES384' }]],
    ['one kid twice', [own, { ...jwk(ec().privateKey), kid: read([own])[0].kid }]],
  ])('is refused with %s, and no message shows a key', (_, keys) => {
    const refusing = () => read(keys)
    expect(refusing).toThrow(EnvironmentError)
    expect(refusing).toThrow('SVC_AUTH_OPENID_KEYS')
    expect(refusing).not.toThrow(String(own.d))
  })
})

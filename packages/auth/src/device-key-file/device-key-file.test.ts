import { verify } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { requestSigner } from '@svc/core/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewDeviceKey } from '../capability/fields.ts'
import { readPublicKey } from '../crypto/crypto.ts'
import { type DeviceKey, DeviceKeyError } from '../device-key/device-key.ts'
import { createDeviceKey, deleteDeviceKey, openDeviceKey } from './device-key-file.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-device-key-'))
  file = join(folder, 'config', 'device-key.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const algorithms = ['ES256', 'RS256'] as const
const paddings = { ES256: { dsaEncoding: 'ieee-p1363' as const }, RS256: {} }

/** Whether what the key signs is verified by the public key that a server would keep. */
async function isVerified(key: DeviceKey) {
  const request = { method: 'POST', url: 'https://api.example.com/orders', body: '{}' }
  const { authorization = '' } = await requestSigner(key)(request)
  const [head, payload, signature = ''] = authorization.replace('Bearer ', '').split('.')
  const publicKey = {
    key: Buffer.from(key.registration.publicKey, 'base64'),
    format: 'der' as const,
    type: 'spki' as const,
    ...paddings[key.algorithm],
  }
  const signed = Buffer.from(`${head}.${payload}`)
  return verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))
}

/** Lets calls make their keys only once all of them have looked at what is there. */
function holdBack(calls: number) {
  const generateKey = crypto.subtle.generateKey.bind(crypto.subtle)
  const all = Promise.withResolvers<void>()
  let waiting = 0
  vi.spyOn(crypto.subtle, 'generateKey').mockImplementation(async (...args) => {
    waiting += 1
    if (waiting === calls) all.resolve()
    await all.promise
    return generateKey(...args)
  })
}

describe('createDeviceKey', () => {
  it.each(algorithms)(
    'registers as a server takes it, and signs: %s (A-017, A-023)',
    async (algorithm) => {
      const key = await createDeviceKey({ file, algorithm })
      const registration: NewDeviceKey = key.registration

      expect(Object.keys(registration).toSorted()).toEqual([
        'algorithm',
        'fingerprint',
        'keyId',
        'publicKey',
      ])
      expect(readPublicKey(registration)).toMatchObject({ algorithm })
      expect(registration.keyId).toBe(key.keyId)
      expect(key.keyId).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
      expect(await isVerified(key)).toBe(true)
    },
  )

  it.each(algorithms)('gives no private key out of the object: %s', async (algorithm) => {
    const { privateKey } = await createDeviceKey({ file, algorithm })

    expect(privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow('not extractable')
  })

  it('keeps the file and its folder from others', async () => {
    await createDeviceKey({ file })

    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'config'))).toEqual(['device-key.json'])
  })

  it('makes another key each time', async () => {
    const first = await createDeviceKey({ file })
    const second = await createDeviceKey({ file })

    expect(second.keyId).not.toBe(first.keyId)
    expect(second.registration.publicKey).not.toBe(first.registration.publicKey)
    expect((await openDeviceKey({ file }))?.keyId).toBe(second.keyId)
  })

  it.each([false, true])('gives racing calls one new key (one was there: %s)', async (wasThere) => {
    const old = wasThere ? await createDeviceKey({ file }) : null
    holdBack(8)
    const keys = await Promise.all(Array.from({ length: 8 }, () => createDeviceKey({ file })))

    const kept = await openDeviceKey({ file })
    expect(kept?.keyId).not.toBe(old?.keyId)
    for (const { registration } of keys) expect(registration).toEqual(kept?.registration)
    for (const key of keys) expect(await isVerified(key)).toBe(true)
    expect(readdirSync(join(folder, 'config'))).toEqual(['device-key.json'])
  })

  it('leaves a file alone that is no device key', async () => {
    file = join(folder, 'package.json')
    writeFileSync(file, '{"name":"app"}', { mode: 0o600 })

    await expect(createDeviceKey({ file })).rejects.toThrow(DeviceKeyError)
    expect(readFileSync(file, 'utf8')).toBe('{"name":"app"}')
  })

  it('says so when another process holds the file for too long', async () => {
    file = join(folder, 'device-key.json')
    writeFileSync(`${file}.lock`, '')

    await expect(createDeviceKey({ file })).rejects.toThrow(`${file}.lock exists`)
    expect(readdirSync(folder)).toEqual(['device-key.json.lock'])
  })
})

describe('openDeviceKey', () => {
  it('finds no key where there is no file', async () => {
    expect(await openDeviceKey({ file })).toBeNull()
  })

  it.each(algorithms)('opens what was created: %s', async (algorithm) => {
    const created = await createDeviceKey({ file, algorithm })
    const opened = (await openDeviceKey({ file })) as DeviceKey

    expect(opened.registration).toEqual(created.registration)
    expect(opened.privateKey.extractable).toBe(false)
    expect(await isVerified(opened)).toBe(true)
  })

  it.each(['640', '604', '620'])('refuses a file that others may use: %s', async (mode) => {
    await createDeviceKey({ file })
    chmodSync(file, Number.parseInt(mode, 8))

    await expect(openDeviceKey({ file })).rejects.toThrow(`chmod 600 '${file}'`)
    chmodSync(file, 0o600)
    expect(await openDeviceKey({ file })).not.toBeNull()
  })

  it('refuses what is no key without quoting it', async () => {
    const { keyId } = await createDeviceKey({ file })
    const text = readFileSync(file, 'utf8')
    const { privateKey } = JSON.parse(text)
    const damaged = [
      'secret',
      '',
      'null',
      '"secret"',
      text.slice(0, -20),
      JSON.stringify({ keyId, algorithm: 'ES256' }),
      JSON.stringify({ keyId, algorithm: 'ES256', privateKey: privateKey.slice(8) }),
      JSON.stringify({ keyId, algorithm: 'RS256', privateKey }),
      JSON.stringify({ keyId, algorithm: 'toString', privateKey }),
      JSON.stringify({ keyId: 'a b', algorithm: 'ES256', privateKey }),
    ]

    for (const content of damaged) {
      writeFileSync(file, content)
      const error = await openDeviceKey({ file }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(DeviceKeyError)
      const told = inspect(error, { showHidden: true, depth: null })
      expect(told).not.toContain('secret')
      expect(told).not.toContain(privateKey.slice(20, 40))
    }
  })
})

describe('deleteDeviceKey', () => {
  it('forgets the key, with any content of the file', async () => {
    await createDeviceKey({ file })
    await deleteDeviceKey({ file })
    expect(await openDeviceKey({ file })).toBeNull()

    writeFileSync(file, 'damaged')
    await deleteDeviceKey({ file })
    expect(readdirSync(join(folder, 'config'))).toEqual([])
  })

  it('spares a key that was made since', async () => {
    const old = await createDeviceKey({ file })
    const fresh = await createDeviceKey({ file })

    await deleteDeviceKey({ file, keyId: old.keyId })
    expect((await openDeviceKey({ file }))?.keyId).toBe(fresh.keyId)
    await deleteDeviceKey({ file, keyId: fresh.keyId })
    expect(await openDeviceKey({ file })).toBeNull()
  })

  it('makes no folder where there is nothing to delete', async () => {
    await deleteDeviceKey({ file })
    expect(readdirSync(folder)).toEqual([])
  })
})

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSignatureChecks, type SignatureChecks } from './signature-checks.ts'
import { createPublicKeyCache } from './verify-signature.ts'

const textOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')
const newPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { publicKey: textOf(publicKey), privateKey }
}
type Pair = ReturnType<typeof newPair>

const [ours, others] = [newPair(), newPair()]
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

const es256 = (signed: string, { privateKey }: Pair) => ({
  algorithm: 'ES256' as const,
  signed,
  signature: sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
})

let checks: SignatureChecks
const publicKeys = vi.fn(createPublicKeyCache())
const log = { error: vi.fn() }
afterEach(async () => {
  await checks.close()
  log.error.mockClear()
})

/** With a thread that is up, which the first ones ask for. */
async function crowded() {
  checks = createSignatureChecks({ publicKeys, log, crowd: 2, hasThread: true })
  const given = es256('warm', ours)
  do {
    publicKeys.mockClear()
    await Promise.all([1, 2].map(() => checks.isRight(given, ours.publicKey)))
  } while (publicKeys.mock.calls.length > 0)
}

/** A fourth of each: right, of another key, of another text, and right again by RSA. */
function mixed(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const text = `request ${index}`
    const given = es256(text, index % 4 === 1 ? others : ours)
    if (index % 4 === 2)
      return { given: { ...given, signed: `${text}!` }, publicKey: ours.publicKey, isRight: false }
    if (index % 4 === 3) {
      const signature = sign('sha256', Buffer.from(text), rsa.privateKey)
      return {
        given: { algorithm: 'RS256' as const, signed: text, signature },
        publicKey: textOf(rsa.publicKey),
        isRight: true,
      }
    }
    return { given, publicKey: ours.publicKey, isRight: index % 4 === 0 }
  })
}

const answersOf = (asked: ReturnType<typeof mixed>) =>
  Promise.all(asked.map(({ given, publicKey }) => checks.isRight(given, publicKey)))

describe('a signature', () => {
  it('is checked at once where it is alone', async () => {
    checks = createSignatureChecks({ publicKeys, log, crowd: 2, hasThread: true })
    publicKeys.mockClear()
    expect(await checks.isRight(es256('alone', ours), ours.publicKey)).toBe(true)
    expect(await checks.isRight(es256('alone', others), ours.publicKey)).toBe(false)
    expect(publicKeys).toHaveBeenCalledTimes(2)
  })

  it('is its own among many that a thread checks', async () => {
    await crowded()
    const asked = mixed(40)
    publicKeys.mockClear()
    expect(await answersOf(asked)).toEqual(asked.map(({ isRight }) => isRight))
    expect(publicKeys).not.toHaveBeenCalled()
  })

  it('is checked here where the thread is behind, and is its own there too', async () => {
    await crowded()
    const asked = mixed(400)
    publicKeys.mockClear()
    expect(await answersOf(asked)).toEqual(asked.map(({ isRight }) => isRight))
    expect(publicKeys.mock.calls.length).toBeGreaterThan(300)
  })

  it('is checked here when the thread dies, which the log tells', async () => {
    const workerFile = new URL('./testing/dying-worker.ts', import.meta.url)
    checks = createSignatureChecks({ publicKeys, log, crowd: 2, hasThread: true, workerFile })
    const asked = mixed(40)
    while (log.error.mock.calls.length === 0) {
      expect(await answersOf(asked)).toEqual(asked.map(({ isRight }) => isRight))
    }
    const text = 'the thread that checks signatures died'
    expect(log.error).toHaveBeenCalledWith({ err: expect.any(Error) }, text)
  })

  it('is checked here where no thread can be started, which is tried once', async () => {
    const workerFile = new URL('https://nowhere.example')
    checks = createSignatureChecks({ publicKeys, log, crowd: 2, hasThread: true, workerFile })
    const asked = mixed(40)
    for (const _ of [1, 2]) {
      expect(await answersOf(asked)).toEqual(asked.map(({ isRight }) => isRight))
    }
    expect(log.error).toHaveBeenCalledOnce()
  })

  it.each(['', 'AAAA'])(
    'of a stored key that is broken (%j) is not right, and ends nothing',
    async (broken) => {
      await crowded()
      const asked = mixed(40)
      const answers = answersOf(asked)
      expect(await checks.isRight(es256('broken', ours), broken)).toBe(false)
      expect(await answers).toEqual(asked.map(({ isRight }) => isRight))
      expect(log.error).toHaveBeenCalledWith(
        { err: expect.any(Error) },
        'a stored public key cannot be read, so its requests are refused',
      )
      publicKeys.mockClear()
      await answersOf(asked)
      expect(publicKeys).not.toHaveBeenCalled()
    },
  )

  it('is checked here where there is no second core', async () => {
    checks = createSignatureChecks({ publicKeys, log, crowd: 2, hasThread: false })
    const asked = mixed(40)
    publicKeys.mockClear()
    expect(await answersOf(asked)).toEqual(asked.map(({ isRight }) => isRight))
    expect(publicKeys).toHaveBeenCalledTimes(40)
  })

  it('is answered also while the server ends', async () => {
    await crowded()
    const asked = mixed(40)
    const answers = answersOf(asked)
    await checks.close()
    expect(await answers).toEqual(asked.map(({ isRight }) => isRight))
    expect(log.error).not.toHaveBeenCalled()
  })
})

import { createCipheriv, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readKeyring } from '../../crypto/crypto.ts'
import { keyringUse, reportMissingRingKeys } from '../../keyring/keyring.ts'
import type { ProviderIdentity } from '../../providers/providers.ts'
import { changeService } from '../../running/test-change-held.ts'
import { startTestAuth } from '../../testing.ts'
import { testBrowser } from '../browser/testing/test-browser.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'
import { accessTokenOf, getProviderAccessToken, socialOf } from '../social.ts'
import { socialAccounts } from './schema.ts'
import { readAccessToken } from './tokens.ts'

const ringKey = (keyId: string) => {
  const bytes = randomBytes(32)
  return { keyId, bytes, entry: `${keyId}:${bytes.toString('base64')}` }
}
const [first, second] = [ringKey('first'), ringKey('second')]

const auth = await startTestAuth({ env: { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: first.entry } })
afterAll(() => auth.stop())
const { db } = auth.auth
const own = socialOf(auth.server.infrastructure)
const instance = (await auth.secondInstance()).infrastructure
const other = socialOf(instance)
const [acme, umbrella] = [testProvider('token-acme'), testProvider('token-umbrella')]

/** Restarts the instances with other keys. */
function restartWith(...keys: { entry: string }[]) {
  const text = keys.map(({ entry }) => entry).join()
  const keyring = readKeyring(text === '' ? {} : { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: text })
  for (const each of [auth.server.infrastructure, instance]) changeService(each, { keyring })
}
beforeEach(() => restartWith(first))

const signIn = async (identity: ProviderIdentity, provider = acme): Promise<string> =>
  (await testBrowser(auth, provider).signIn(identity)).body.userId

async function rowOf(userId: string) {
  const [row] = await db.select().from(socialAccounts).where(eq(socialAccounts.userId, userId))
  if (!row) throw new Error('nothing is linked')
  return row
}
const store = (userId: string, tokens: Partial<typeof socialAccounts.$inferInsert>) =>
  db.update(socialAccounts).set(tokens).where(eq(socialAccounts.userId, userId))
const read = (userId: string, provider = acme) => getProviderAccessToken(provider.id, userId)

/** The last token of a kind that a provider has given. */
const given = (kind: string, provider = acme) =>
  provider.secrets.findLast((secret) => secret.startsWith(kind)) ?? ''

/** As it was written before tokens named their key. */
function inTheFormer({ bytes }: { bytes: Buffer }, token: string, authTagLength = 16) {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', bytes, iv, { authTagLength })
  const ciphertext = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  const parts = [iv, ciphertext, cipher.getAuthTag()]
  return ['enc:v1', ...parts.map((part) => part.toString('base64url'))].join(':')
}

const unreadable = expect.objectContaining({ name: 'UnreadableSecretError' })

describe('a token of a provider that is kept', () => {
  it('is encrypted with the first key of the keyring (A-064, A-065, A-313)', async () => {
    restartWith(second, first)
    const userId = await signIn(somebody())
    const { accessToken, refreshToken } = await rowOf(userId)
    for (const stored of [accessToken, refreshToken]) {
      expect(stored).toMatch(/^enc:v2:second:[\w-]{16}:[\w-]+:[\w-]{22}$/)
    }
    expect(await read(userId)).toBe(given('access'))
  })

  it('opens for no other account, field or provider (A-065)', async () => {
    const identity = somebody()
    const mine = await signIn(identity)
    const theirs = await signIn(somebody())
    const elsewhere = await signIn(identity, umbrella)
    const { accessToken, refreshToken } = await rowOf(mine)

    await store(theirs, { accessToken })
    await expect(read(theirs)).rejects.toThrow(unreadable)
    await store(elsewhere, { accessToken })
    await expect(read(elsewhere, umbrella)).rejects.toThrow(unreadable)
    await store(mine, { accessToken: refreshToken })
    await expect(read(mine)).rejects.toThrow(unreadable)
    await store(mine, { accessToken })
    await read(mine)
  })

  it('does not open with a tag of 4 bytes, and with no other text that begins like it (A-065)', async () => {
    const userId = await signIn(somebody())
    const { accessToken } = await rowOf(userId)
    const cut = accessToken?.replace(/[^:]+$/, (tag) => tag.slice(0, 6)) ?? ''
    for (const text of [cut, inTheFormer(first, 'a token', 4), 'enc:v3:a', 'enc:', 'enc:app:a']) {
      await store(userId, { accessToken: text })
      await expect(read(userId), text).rejects.toThrow(unreadable)
      expect(await rowOf(userId)).toMatchObject({ accessToken: text })
    }
  })

  it('is not kept where there is no keyring, and the sign-in goes on', async () => {
    restartWith()
    const nothing = { accessToken: null, refreshToken: null, accessTokenExpiresAt: null }
    expect(await rowOf(await signIn(somebody()))).toMatchObject(nothing)
  })
})

describe('a read', () => {
  it('encrypts again what an older key has encrypted, so that it can go (A-313, A-314)', async () => {
    const userId = await signIn(somebody())
    restartWith(second, first)
    expect(await read(userId)).toBe(given('access'))
    expect((await rowOf(userId)).accessToken).toMatch(/^enc:v2:second:/)
    restartWith(second)
    expect(await read(userId)).toBe(given('access'))
  })

  it('encrypts what is stored in the former form, or as it is: once (A-314)', async () => {
    const userId = await signIn(somebody())
    restartWith(second, first)
    for (const stored of [
      inTheFormer(first, 'a token'),
      inTheFormer(second, 'a token'),
      'a token',
    ]) {
      await store(userId, { accessToken: stored })
      expect(await read(userId)).toBe('a token')
      const { accessToken } = await rowOf(userId)
      expect(accessToken).toMatch(/^enc:v2:second:/)
      expect(await read(userId)).toBe('a token')
      expect(await rowOf(userId)).toMatchObject({ accessToken })
    }
  })

  it('says which key is gone, and gives nothing (A-315)', async () => {
    const userId = await signIn(somebody())
    const before = await rowOf(userId)
    restartWith(second)
    await expect(read(userId)).rejects.toThrow('SVC_AUTH_TOKEN_ENCRYPTION_KEYS has no key first.')
    restartWith()
    await expect(read(userId)).rejects.toThrow('SVC_AUTH_TOKEN_ENCRYPTION_KEYS has no key first.')
    restartWith(second)
    await store(userId, { accessToken: inTheFormer(first, 'a token') })
    await expect(read(userId)).rejects.toThrow(unreadable)
    await store(userId, before)
    restartWith(second, first)
    expect(await read(userId)).toBe(given('access'))
  })

  it('leaves a newer token in its place that has come meanwhile (R33)', async () => {
    const identity = somebody()
    const userId = await signIn(identity)
    const older = given('access')
    const link = await rowOf(userId)
    await signIn(identity)
    const newer = await rowOf(userId)
    restartWith(second, first)
    expect(await readAccessToken(socialOf(auth.server.infrastructure), link)).toBe(older)
    expect(await rowOf(userId)).toMatchObject({ accessToken: newer.accessToken })
  })

  it('loses no sign-in that it races with (R33)', async () => {
    const identity = somebody()
    const userId = await signIn(identity)
    for (let round = 0; round < 4; round++) {
      await store(userId, { accessToken: 'a token' })
      const wanted = { provider: acme.id, userId }
      const reads = Array.from({ length: 16 }, (_, at) =>
        accessTokenOf(at % 2 === 0 ? own : other, wanted),
      )
      await Promise.all([signIn(identity), ...reads])
      expect(await read(userId)).toBe(given('access'))
    }
  })
})

describe('keyringUse', () => {
  it('counts the tokens that need each key, and those that name none (A-315)', async () => {
    const [used, next] = [ringKey('used'), ringKey('next')]
    restartWith(used)
    const userId = await signIn(somebody())
    restartWith(next, used)
    const none = { secondFactors: 0, recoveryCodes: 0 }
    const use = async () => new Map((await keyringUse()).map((each) => [each.keyId, each]))
    const before = { keyId: 'used', isActive: false, ...none, providerTokens: 2 }
    expect((await use()).get('used')).toEqual(before)
    await read(userId)
    expect((await use()).get('used')).toMatchObject({ providerTokens: 1 })
    expect((await use()).get('next')).toMatchObject({ isActive: true, providerTokens: 1 })
    await store(userId, { refreshToken: inTheFormer(used, 'a token') })
    const formerly = { keyId: 'enc:v1', isActive: false, ...none, providerTokens: 1 }
    expect([...(await use()).values()]).toContainEqual(formerly)
    expect((await use()).get('used')).toMatchObject({ providerTokens: 0 })

    restartWith(first, second)
    await reportMissingRingKeys(auth.auth)
    const said =
      'SVC_AUTH_TOKEN_ENCRYPTION_KEYS lacks keys that stored values need: add the missing ones'
    const [entry] = auth.logged.filter(({ msg }) => msg === said)
    expect(entry?.missing).toEqual([{ keyId: 'next', accounts: 1 }])
  })
})

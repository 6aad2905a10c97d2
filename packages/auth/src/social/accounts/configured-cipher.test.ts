import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { encrypt, readKeyring } from '../../crypto/crypto.ts'
import { configureOAuthTokenCipher, type TokenContext } from '../../providers/providers.ts'
import { changeService } from '../../running/test-change-held.ts'
import { startTestAuth } from '../../testing.ts'
import { testBrowser } from '../browser/testing/test-browser.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'
import { getProviderAccessToken } from '../social.ts'
import { socialAccounts } from './schema.ts'

/**
 * A key service elsewhere: it gives a name for a secret, and the secret again for the same account.
 */
const vault = new Map<string, { token: string; context: TokenContext }>()
configureOAuthTokenCipher({
  encrypt: async (token, context) => {
    const name = `${vault.size}`
    vault.set(name, { token, context })
    return name
  },
  decrypt: async (name, context) => {
    const kept = vault.get(name)
    expect(context).toEqual(kept?.context)
    return kept?.token ?? ''
  },
})

const keyring = `before:${Buffer.alloc(32, 7).toString('base64')}`
// Without a cipher, no server starts with this and without a key.
const client = { SVC_AUTH_GOOGLE_CLIENT_ID: 'an-id', SVC_AUTH_GOOGLE_CLIENT_SECRET: 'a-secret' }
const auth = await startTestAuth({ env: client })
afterAll(() => auth.stop())
const { db } = auth.auth
const provider = testProvider('token-vault', {
  refreshTokens: async (token) => ({ accessToken: `for-${token}`, expiresInSeconds: 3600 }),
})

async function signIn() {
  const identity = somebody()
  const { body } = await testBrowser(auth, provider).signIn(identity)
  const [access, refresh] = [...vault].slice(-2)
  const row = async () =>
    (await db.select().from(socialAccounts).where(eq(socialAccounts.userId, body.userId)))[0]
  return { identity, userId: body.userId, row, access, refresh }
}

describe('with a cipher of its own, a server', () => {
  it('starts without a key, and keeps what the cipher makes of a token (A-312)', async () => {
    const { userId, identity, row, access, refresh } = await signIn()
    const elsewhere = { provider: 'token-vault', providerUserId: identity.providerUserId }
    expect(access?.[1].context).toEqual({ ...elsewhere, tokenType: 'access' })
    expect(refresh?.[1].context).toEqual({ ...elsewhere, tokenType: 'refresh' })
    const stored = {
      accessToken: `enc:app:${access?.[0]}`,
      refreshToken: `enc:app:${refresh?.[0]}`,
    }
    expect(await row()).toMatchObject(stored)
    expect(await getProviderAccessToken(provider.id, userId)).toBe(access?.[1].token)
    expect(await row()).toMatchObject(stored)
    auth.clock.advance('1h')
    const renewed = `for-${refresh?.[1].token}`
    expect(await getProviderAccessToken(provider.id, userId)).toBe(renewed)
  })

  it('reads what was stored before, and has it encrypted again (A-312, A-314)', async () => {
    const { userId, row } = await signIn()
    changeService(auth.server.infrastructure, {
      keyring: readKeyring({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keyring }),
    })
    const { providerUserId = '' } = (await row()) ?? {}
    const formerly = ['token-vault', providerUserId, 'access']
    const ours = auth.auth.keyring ? encrypt(auth.auth.keyring, 'a token', formerly) : ''
    for (const accessToken of [ours, 'a token']) {
      await db.update(socialAccounts).set({ accessToken }).where(eq(socialAccounts.userId, userId))
      expect(await getProviderAccessToken(provider.id, userId)).toBe('a token')
      expect((await row())?.accessToken).toMatch(/^enc:app:\d+$/)
      expect(await getProviderAccessToken(provider.id, userId)).toBe('a token')
    }
  })
})

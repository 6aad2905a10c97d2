import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { withKeyring } from '../mfa/testing/test-second-factor.ts'
import { takeLease } from '../once/once.ts'
import {
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
} from '../providers/providers.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth } from '../testing.ts'
import { socialAccounts } from './accounts/accounts.ts'
import { testBrowser } from './browser/testing/test-browser.ts'
import { somebody, testProvider } from './browser/testing/test-provider.ts'
import { accessTokenOf, getGoogleAccessToken, getProviderAccessToken, socialOf } from './social.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const second = await auth.secondInstance()
const other = socialOf(second.infrastructure)
second.clock.set(auth.clock.now())

/** The refresh tokens that Google was asked with, and what it answers. */
const asked: string[] = []
let answer: () => Promise<ProviderTokens> | ProviderTokens
let renewals = 0
beforeEach(() => {
  asked.length = 0
  answer = () => {
    renewals++
    return { accessToken: `renewed-${renewals}`, expiresInSeconds: 3600 }
  }
})
const google = testProvider('google', {
  refreshTokens: async (refreshToken) => {
    asked.push(refreshToken)
    return answer()
  },
})
const silent = testProvider('token-silent')
const latest = (kind: string) => google.secrets.findLast((secret) => secret.startsWith(kind)) ?? ''

async function signIn(identity: ProviderIdentity = somebody(), provider = google): Promise<string> {
  return (await testBrowser(auth, provider).signIn(identity)).body.userId
}

/** Signed in with Google so long ago that the access token ends in a moment. */
async function signedInLongAgo(identity?: ProviderIdentity) {
  const userId = await signIn(identity)
  pass('3541s')
  return { userId, refreshToken: latest('refresh') }
}

function pass(time: string) {
  for (const { clock } of [auth, second]) clock.advance(time)
}

const rowOf = async (userId: string) =>
  (await db.select().from(socialAccounts).where(eq(socialAccounts.userId, userId)))[0]
const store = (userId: string, tokens: Partial<typeof socialAccounts.$inferInsert>) =>
  db.update(socialAccounts).set(tokens).where(eq(socialAccounts.userId, userId))

const named = (name: string) => expect.objectContaining({ name })
const noTokens = { accessToken: null, refreshToken: null, accessTokenExpiresAt: null }

describe('getGoogleAccessToken', () => {
  it('answers the token that is kept while it is good for a minute (A-277)', async () => {
    const userId = await signIn()
    const accessToken = latest('access')
    expect(await getGoogleAccessToken(userId)).toBe(accessToken)
    pass('59m')
    expect(await getGoogleAccessToken(userId)).toBe(accessToken)
    expect(asked).toEqual([])
    pass('1s')
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
    expect(asked).toEqual([latest('refresh')])
  })

  it('renews it with the refresh token that is kept, and keeps what it gets (A-277)', async () => {
    const { userId, refreshToken } = await signedInLongAgo()
    const first = await getGoogleAccessToken(userId)
    expect(await getGoogleAccessToken(userId)).toBe(first)
    expect(asked).toEqual([refreshToken])
    // Google gives no other.
    pass('1h')
    await getGoogleAccessToken(userId)
    expect(asked).toEqual([refreshToken, refreshToken])
    answer = () => ({ accessToken: 'newer', refreshToken: 'another', expiresInSeconds: 3600 })
    pass('1h')
    expect(await getGoogleAccessToken(userId)).toBe('newer')
    pass('1h')
    await getGoogleAccessToken(userId)
    expect(asked.at(-1)).toBe('another')
  })

  it('renews one whose end is not known, if it can', async () => {
    const userId = await signIn()
    await store(userId, { accessTokenExpiresAt: null })
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
    await store(userId, { accessTokenExpiresAt: null, refreshToken: null })
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
    expect(asked).toHaveLength(1)
  })

  it('is refused where no Google account is linked (A-277)', async () => {
    const { userId } = await auth.createUser()
    const elsewhere = await signIn(somebody(), silent)
    for (const id of [userId, elsewhere, 'nobody']) {
      await expect(getGoogleAccessToken(id)).rejects.toThrow(named('SocialAccountNotLinkedError'))
    }
  })

  it('is refused where a token has ended and there is no refresh token (A-277)', async () => {
    const { userId } = await signedInLongAgo()
    await store(userId, { refreshToken: null })
    const refused = named('ProviderConsentRequiredError')
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
    await store(userId, noTokens)
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
    const elsewhere = await signIn(somebody(), silent)
    pass('1h')
    await expect(getProviderAccessToken(silent.id, elsewhere)).rejects.toThrow(refused)
  })

  it.each([undefined, 'invalid_grant'])(
    'forgets tokens that the provider takes no more, and asks no more (%s)',
    async (code) => {
      const identity = somebody()
      const { userId } = await signedInLongAgo(identity)
      answer = () => {
        throw new ProviderRefusalError('no', code)
      }
      for (let again = 0; again < 2; again++) {
        const refused = named('ProviderConsentRequiredError')
        await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
      }
      expect(asked).toHaveLength(1)
      expect(await rowOf(userId)).toMatchObject(noTokens)
      await signIn(identity)
      expect(await getGoogleAccessToken(userId)).toBe(latest('access'))
    },
  )

  it.each([
    ['cannot be asked', new Error('no answer')],
    ['refuses the application', new ProviderRefusalError('no', 'invalid_client')],
    ['refuses in words of its own', new ProviderRefusalError('no', '')],
  ])('is unavailable while the provider %s, and loses nothing', async (_, failure) => {
    const { userId, refreshToken } = await signedInLongAgo()
    const usual = answer
    answer = () => {
      throw failure
    }
    const refused = named('ServiceUnavailableError')
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
    answer = usual
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
    expect(asked).toEqual([refreshToken, refreshToken])
  })

  it('waits no longer than five seconds for a provider that never answers, and asks again (F20)', async () => {
    const { userId, refreshToken } = await signedInLongAgo()
    const usual = answer
    answer = () => Promise.withResolvers<never>().promise
    const startedAt = performance.now()
    const refused = named('ServiceUnavailableError')
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
    expect(performance.now() - startedAt).toBeLessThan(5500)
    answer = usual
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
    expect(asked).toEqual([refreshToken, refreshToken])
  }, 10_000)

  it('is refused for an account that was suspended', async () => {
    const userId = await signIn()
    await suspendUser(userId)
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(named('AccountDisabledError'))
  })
})

describe('of many who ask at once', () => {
  const both = [socialOf(auth.server.infrastructure), other]
  const askFifty = (userId: string) =>
    Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        accessTokenOf(both[at % 2] ?? other, { provider: 'google', userId }),
      ),
    )

  it('one asks the provider, and the newest refresh token is kept (R32)', async () => {
    for (let round = 0; round < 4; round++) {
      const { userId, refreshToken } = await signedInLongAgo()
      asked.length = 0
      // A provider that takes a refresh token once.
      answer = async () => {
        await wait(20)
        const next = `after-${asked.at(-1)}`
        return { accessToken: `for-${asked.at(-1)}`, refreshToken: next, expiresInSeconds: 3600 }
      }
      const tokens = await askFifty(userId)
      expect(asked).toEqual([refreshToken])
      const [all, ...others] = new Set(tokens.map((each) => JSON.stringify(each)))
      expect(others).toEqual([])
      expect(all).toContain(`"for-${refreshToken}"`)
      pass('1h')
      await getGoogleAccessToken(userId)
      expect(asked.at(-1)).toBe(`after-${refreshToken}`)
    }
  })

  it('all are told at once that the provider cannot be asked, which is not asked for each', async () => {
    const { userId } = await signedInLongAgo()
    answer = async () => {
      await wait(100)
      throw new Error('no answer')
    }
    const reasons = (await askFifty(userId)).map((each) => 'reason' in each && each.reason.name)
    expect(new Set(reasons)).toEqual(new Set(['ServiceUnavailableError']))
    expect(asked.length).toBeLessThan(6)
  })

  it('no request waits for one whose process has died', async () => {
    const { userId } = await signedInLongAgo()
    const now = auth.clock.now()
    const lease = { id: `renewal:google:${userId}`, until: new Date(now.getTime() + 15_000) }
    expect(await takeLease(db, lease, now)).toBe(true)
    pass('15s')
    expect(await getGoogleAccessToken(userId)).toBe(`renewed-${renewals}`)
  })

  it('a sign-in brings newer tokens, which stay (R32)', async () => {
    const identity = somebody()
    const { userId } = await signedInLongAgo(identity)
    answer = async () => {
      await signIn(identity)
      return { accessToken: 'of before', refreshToken: 'of before', expiresInSeconds: 3600 }
    }
    expect(await getGoogleAccessToken(userId)).toBe(latest('access'))
    expect(asked).toHaveLength(1)
  })

  it('a refusal of the older token does not take the newer ones away', async () => {
    const identity = somebody()
    const { userId } = await signedInLongAgo(identity)
    answer = async () => {
      await signIn(identity)
      throw new ProviderRefusalError('no', 'invalid_grant')
    }
    expect(await getGoogleAccessToken(userId)).toBe(latest('access'))
  })

  it('nothing comes back for an account that was unlinked meanwhile', async () => {
    const { userId } = await signedInLongAgo()
    answer = async () => {
      await db.delete(socialAccounts).where(eq(socialAccounts.userId, userId))
      return { accessToken: 'too late', refreshToken: 'too late' }
    }
    const refused = named('SocialAccountNotLinkedError')
    await expect(getGoogleAccessToken(userId)).rejects.toThrow(refused)
    expect(await rowOf(userId)).toBe(undefined)
  })
})

import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { profiles, users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { configureAuth, type RegistrationContext } from '../../configure-auth.ts'
import { contactChangedEvent, loginEvent, oauthLinkedEvent, registerEvent } from '../../events.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { SOCIAL_PROVIDERS } from '../../providers/fields.ts'
import { RegistrationRejectedError } from '../../register/errors.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { done } from '../../test-answers.ts'
import { startTestAuth, testPassword } from '../../testing.ts'
import { testBrowser } from '../browser/testing/test-browser.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'
import { addressOf } from './arrival.ts'
import { socialAccounts } from './schema.ts'
import { insertLink } from './store.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const east = testProvider('signing-in-east')
const west = testProvider('signing-in-west')

const newAddress = () => `${randomUUID()}@example.com`
const accountOf = async (userId: string) =>
  (await db.select().from(users).where(eq(users.userId, userId)))[0]
const linksOf = (userId: string) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.userId, userId))
const count = () => Promise.all([users, socialAccounts].map((table) => db.$count(table)))

/** The account that this user signs in to. */
async function signIn(identity: ReturnType<typeof somebody>, { at = east, metadata = {} } = {}) {
  const browser = testBrowser(auth, at)
  const { userId } = await done(browser.signIn(identity, { metadata }))
  return String(userId)
}

async function refused(identity: ReturnType<typeof somebody>, at = east) {
  const before = await count()
  const browser = testBrowser(auth, at)
  await browser.leave()
  const { failure } = await browser.arrive(identity)
  expect(await count()).toEqual(before)
  expect(await browser.finalize()).toMatchObject({ status: 401 })
  return failure
}

describe('a user who has never been here', () => {
  it('has an account, with the address that the provider has verified, and a link to it (A-064)', async () => {
    const email = newAddress()
    const identity = { ...somebody({ email: email.toUpperCase() }), name: ' Ada Lovelace' }
    const userId = await signIn(identity)
    expect(await accountOf(userId)).toMatchObject({
      email,
      emailVerifiedAt: auth.clock.now(),
      passwordHash: null,
      role: 'user',
    })
    expect(await linksOf(userId)).toEqual([
      {
        provider: east.id,
        providerUserId: identity.providerUserId,
        userId,
        accessToken: expect.stringMatching(/^enc:v2:/),
        refreshToken: expect.stringMatching(/^enc:v2:/),
        accessTokenExpiresAt: new Date(auth.clock.now().getTime() + 3_600_000),
        linkedAt: auth.clock.now(),
        lastUsedAt: auth.clock.now(),
      },
    ])
    const [profile] = await db.select().from(profiles).where(eq(profiles.userId, userId))
    expect(profile).toMatchObject({ displayName: 'Ada Lovelace' })
  })

  it('has no address from one that is not verified, so that its owner can still have it', async () => {
    const email = newAddress()
    const userId = await signIn(somebody({ email, isEmailVerified: false }))
    expect(await accountOf(userId)).toMatchObject({ email: null, emailVerifiedAt: null })
    const owner = await signIn(somebody({ email }))
    expect(owner).not.toBe(userId)
    expect(await accountOf(owner)).toMatchObject({ email })
  })

  it('has no address from what is none', async () => {
    for (const email of ['', 'no address', 'a@b@example.com', `a@127.0.0.1`, `a\0@example.com`]) {
      const userId = await signIn(somebody({ email }))
      expect(await accountOf(userId), email).toMatchObject({ email: null })
    }
  })

  it('is announced, and is in the trail', async () => {
    const told: unknown[] = []
    const leave = [registerEvent, loginEvent, oauthLinkedEvent].map((event) =>
      event.subscribe((payload) => void told.push([event.name, payload])),
    )
    const email = newAddress()
    const identity = somebody({ email })
    const userId = await signIn(identity)
    for (const each of leave) each()
    const { providerUserId } = identity
    expect(told).toEqual([
      ['auth.register', { userId, provider: east.id, email, metadata: {} }],
      ['auth.oauth.linked', { userId, provider: east.id, providerUserId }],
      ['auth.login', { userId, keyId: expect.any(String), provider: east.id, email, mfa: 'none' }],
    ])
    const acts = await db.select().from(auditEvents).where(eq(auditEvents.actor, userId))
    expect(acts.map(({ act, details }) => [act, details])).toEqual([
      ['register', { channel: 'oauth', provider: east.id }],
      ['social.linked', { provider: east.id }],
      ['login', { provider: east.id }],
    ])
  })
})

describe('beforeRegister', () => {
  afterEach(() => configureAuth({ beforeRegister: () => {} }))

  it('is told of a new account with the metadata that was sealed, as the event is; of no other (A-272)', async () => {
    const contexts: RegistrationContext[] = []
    const events: unknown[] = []
    configureAuth({ beforeRegister: (context) => void contexts.push(context) })
    const leave = registerEvent.subscribe((payload) => void events.push(payload))
    const email = newAddress()
    const identity = somebody({ email })
    const metadata = { campaign: 'spring', nested: { list: [1, 'two', null] } }
    const userId = await signIn(identity, { metadata })
    expect(await signIn(identity, { metadata })).toBe(userId)
    const linked = await auth.createUser()
    await signIn(somebody({ email: linked.email }), { metadata })
    leave()
    const provider = east.id
    expect(contexts).toEqual([{ channel: 'oauth', provider, email, emailVerified: true, metadata }])
    expect(events).toEqual([{ userId, provider, email, metadata }])
  })

  it('is told what a provider says and has not verified, as just that', async () => {
    const contexts: RegistrationContext[] = []
    configureAuth({ beforeRegister: (context) => void contexts.push(context) })
    const email = newAddress()
    await signIn(somebody({ email, isEmailVerified: false }))
    expect(contexts).toMatchObject([{ email, emailVerified: false }])
  })

  it('refuses an account, which leaves nothing of it', async () => {
    configureAuth({
      beforeRegister: () => {
        throw new RegistrationRejectedError({ message: 'By invitation only.' })
      },
    })
    const identity = somebody({ email: newAddress() })
    expect(await refused(identity)).toBe('registration_rejected')
    configureAuth({ beforeRegister: () => {} })
    expect(await signIn(identity)).toEqual(expect.any(String))
  })
})

describe('a user who has been here', () => {
  it('is known by the provider’s id alone: another address there changes nothing here', async () => {
    const email = newAddress()
    const identity = somebody({ email })
    const userId = await signIn(identity)
    const moved = { ...identity, email: newAddress() }
    expect(await signIn(moved)).toBe(userId)
    expect(await accountOf(userId)).toMatchObject({ email })
    const { providerUserId } = identity
    expect(await signIn({ providerUserId, isEmailVerified: false })).toBe(userId)
    expect(await linksOf(userId)).toHaveLength(1)
  })

  it('is not another provider’s account of the same id, nor one that is written otherwise', async () => {
    const identity = somebody({ providerUserId: `Id-${randomUUID()}` })
    const userId = await signIn(identity)
    const others = [
      await signIn(identity, { at: west }),
      await signIn({ ...identity, providerUserId: identity.providerUserId.toLowerCase() }),
      await signIn({ ...identity, providerUserId: ` ${identity.providerUserId}` }),
    ]
    expect(new Set([userId, ...others]).size).toBe(4)
  })

  it('leaves when it was last used, and the newest tokens: a refresh token that does not come is kept', async () => {
    const identity = somebody()
    const userId = await signIn(identity)
    const [before] = await linksOf(userId)
    auth.clock.advance('1h')
    await signIn(identity)
    const [after] = await linksOf(userId)
    expect(after).toMatchObject({ linkedAt: before?.linkedAt, lastUsedAt: auth.clock.now() })
    expect(after?.accessToken).not.toBe(before?.accessToken)
  })
})

describe('an address that an account has', () => {
  it('signs in to it where both sides have proved it: from every provider', async () => {
    const { userId, email } = await auth.signedInUser()
    expect(await signIn(somebody({ email: ` ${email.toUpperCase()} ` }))).toBe(userId)
    expect(await signIn(somebody({ email }), { at: west })).toBe(userId)
    expect(await linksOf(userId)).toHaveLength(2)
    // Its password was proved by the owner of the address, and stays.
    expect(await auth.signIn({ email, password: testPassword })).toHaveProperty('keyId')
  })

  it('does not where the provider has not verified it (A-278, A-279)', async () => {
    const { userId, email } = await auth.createUser()
    expect(await refused(somebody({ email, isEmailVerified: false }))).toBe('email_unverified')
    expect(await linksOf(userId)).toEqual([])
  })

  it('does where it has, for every provider (A-278, A-279, A-280)', async () => {
    const { userId, email } = await auth.createUser()
    expect(await signIn(somebody({ email, isEmailVerified: true }))).toBe(userId)
  })

  it('does not where the account has never proved it: another person may have opened it', async () => {
    const { userId, email, key } = await auth.signedInUser()
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, userId))
    expect(await refused(somebody({ email }))).toBe('email_unverified')
    expect(await linksOf(userId)).toEqual([])
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 200 })
  })

  it('does not where another account of that provider signs in to it: the address has moved on there', async () => {
    const email = newAddress()
    const userId = await signIn(somebody({ email }))
    expect(await refused(somebody({ email }))).toBe('another_linked')
    expect(await signIn(somebody({ email }), { at: west })).toBe(userId)
    expect(await linksOf(userId)).toHaveLength(2)
  })

  it('tells of that account only a user who has proved the address there, where it is proved here', async () => {
    const email = newAddress()
    const userId = await signIn(somebody({ email }))
    const unproved = () => refused(somebody({ email, isEmailVerified: false }))
    expect(await unproved()).toBe('email_unverified')
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, userId))
    expect([await unproved(), await refused(somebody({ email }))]).toEqual([
      'email_unverified',
      'email_unverified',
    ])
  })

  it('does not for one that only looks like it', async () => {
    const name = `victim-${randomUUID()}`
    const { userId } = await auth.createUser({ email: `${name}@example.com` })
    const alike = [
      `${name.replace('i', 'ı')}@example.com`,
      `${name.replace('v', 'ѵ')}@example.com`,
      `${name.replace('v', 'ｖ')}@example.com`,
      `${name}+tag@example.com`,
      `${name}@exаmple.com`,
      `${name}@example.com.evil.example`,
      `${name}\u200b@example.com`,
    ]
    for (const email of alike) {
      const browser = testBrowser(auth, east)
      await browser.leave()
      await browser.arrive(somebody({ email }))
      expect((await browser.finalize()).body.userId, email).not.toBe(userId)
    }
    expect(await linksOf(userId)).toEqual([])
  })

  it('is not the same as any of two hundred that look alike', () => {
    const victims = ['official.king@example.com', 'efficacy.pixel@example.com']
    const pairs = victims.flatMap((victim) =>
      lookAlikes(victim).map((email) => ({ victim, email })),
    )
    expect(pairs.length).toBeGreaterThanOrEqual(200)
    expect(pairs.filter(({ victim, email }) => addressOf({ email }) === victim)).toEqual([])
  })
})

describe('an account that cannot sign in', () => {
  const states = {
    suspended: ({ userId }: { userId: string }) => suspendUser(userId),
    'about to be deleted': ({ userId }: { userId: string }) =>
      db.update(users).set({ status: 'pending_deletion' }).where(eq(users.userId, userId)),
  }

  it.each(Object.entries(states))('is %s: by no link and by no address', async (_, make) => {
    const linked = somebody({ email: newAddress() })
    const userId = await signIn(linked)
    const other = await auth.createUser()
    await make({ userId })
    await make(other)
    expect(await refused(linked)).toBe('account_unavailable')
    expect(await refused(somebody({ email: other.email }))).toBe('account_unavailable')
    expect(await linksOf(other.userId)).toEqual([])
  })
})

describe('an account without an address', () => {
  it('gets the one that its provider has verified at the next sign-in (A-281)', async () => {
    const identity = somebody()
    const userId = await signIn(identity)
    const email = newAddress()
    expect(await signIn({ ...identity, email, isEmailVerified: false })).toBe(userId)
    expect(await accountOf(userId)).toMatchObject({ email: null })
    const told: unknown[] = []
    const leave = contactChangedEvent.subscribe((payload) => void told.push(payload))
    expect(
      await signIn({ ...identity, email: ` ${email.toUpperCase()}`, isEmailVerified: true }),
    ).toBe(userId)
    leave()
    expect(await accountOf(userId)).toMatchObject({ email, emailVerifiedAt: auth.clock.now() })
    expect(told).toEqual([{ userId, kind: 'email' }])
    expect(await signIn({ ...identity, email: newAddress(), isEmailVerified: true })).toBe(userId)
    expect(await accountOf(userId)).toMatchObject({ email })
  })

  it('goes without one that is another’s, and signs in (A-281)', async () => {
    const identity = somebody()
    const userId = await signIn(identity)
    const { email, userId: owner } = await auth.createUser()
    const told: unknown[] = []
    const leave = contactChangedEvent.subscribe((payload) => void told.push(payload))
    expect(await signIn({ ...identity, email, isEmailVerified: true })).toBe(userId)
    leave()
    expect(told).toEqual([])
    expect(await accountOf(userId)).toMatchObject({ email: null, emailVerifiedAt: null })
    expect(await accountOf(owner)).toMatchObject({ email })
    const links = and(eq(socialAccounts.userId, owner), eq(socialAccounts.provider, east.id))
    expect(await db.$count(socialAccounts, links)).toBe(0)
  })
})

describe('a link', () => {
  it('is of a provider that is registered, or is not made (A-310)', async () => {
    const { userId } = await auth.createUser()
    expect(SOCIAL_PROVIDERS.has('nobody')).toBe(false)
    const link = { provider: 'nobody', providerUserId: 'a', userId, linkedAt: auth.clock.now() }
    await expect(db.transaction((tx) => insertLink(tx, link))).rejects.toThrow('nobody')
    expect(await linksOf(userId)).toEqual([])
  })
})

/** Each letter as others write one that looks like it, and what our form writes out. */
function lookAlikes(email: string) {
  const alike: Record<string, string> = {
    a: 'аɑαａᵃａ𝐚𝑎',
    c: 'сϲｃⅽᴄ𝐜ć',
    e: 'еｅℯ𝐞éёᵉ',
    f: 'ｆ𝐟ꬵẝᶠ',
    g: 'ɡｇ𝐠ǵᵍ',
    i: 'ıіｉⅰí𝐢ɩιⁱİ',
    k: 'K\u212aкκｋ𝐤ᵏ'.slice(1),
    l: 'ⅼｌ1ӏ|𝐥ˡ',
    m: 'ⅿｍм𝐦ᵐ',
    n: 'ｎո𝐧ñⁿ',
    o: 'оοｏ0օ𝐨ºö',
    p: 'рρｐ𝐩ᵖ',
    x: 'хｘⅹ𝐱×ˣ',
    '.': '\u2024．,',
    '@': '＠',
  }
  const singles = Array.from(email).flatMap((letter, at) =>
    Array.from(alike[letter] ?? '').map(
      (other) => email.slice(0, at) + other + email.slice(at + 1),
    ),
  )
  const ligatures = ['ﬃ', 'ﬀi', 'fﬁ'].map((ligature) => email.replace('ffi', ligature))
  const tags = ['+', '+a', '\u00ad', '\u200b', '\u200d', '\u2060', '\ufeff', '.'].map((tag) =>
    email.replace('@', `${tag}@`),
  )
  return [...singles, ...ligatures, ...tags].filter((each) => !isSameDomain(each, email))
}

/** A domain that the DNS has as the very same one is no other address. */
function isSameDomain(one: string, other: string) {
  const [local, domain] = one.split('@')
  return local === other.split('@')[0] && URL.parse(`http://${domain}`)?.hostname === 'example.com'
}

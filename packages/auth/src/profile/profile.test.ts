import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { startTestAuth, type TestUser } from '../testing.ts'

const auth = await startTestAuth({ env: { SVC_AUTH_RESERVED_USERNAMES: 'admin,Root' } })
afterAll(() => auth.stop())

const sixteen = Array.from({ length: 16 })
const newName = () => `u-${randomUUID().slice(0, 12)}`

const check = (username: string) =>
  auth.call('checkUsername', undefined, undefined, { query: { username } })
const take = (user: TestUser, username: unknown) =>
  auth.call('updateUsername', { username }, user.key)
const change = (user: TestUser, body: unknown) => auth.call('updateUserProfile', body, user.key)
const read = async (user: TestUser) => (await auth.call('getUserProfile', undefined, user.key)).body

const invalid = (path: string) => ({
  status: 400,
  body: {
    __type: 'ValidationError',
    fields: expect.arrayContaining([expect.objectContaining({ path })]),
  },
})

describe('checkUsername', () => {
  it('tells whether a username that obeys the rules is free, in whichever case (A-155, A-156)', async () => {
    const name = newName()
    expect(await check(name)).toMatchObject({ status: 200, body: { available: true } })
    await take(await auth.signedInUser(), name)
    expect((await check(name)).body).toEqual({ available: false })
    expect((await check(name.toUpperCase())).body).toEqual({ available: false })
  })

  it('says that a reserved, too short, too long or malformed name is not available (A-156)', async () => {
    for (const name of [
      'admin',
      'ROOT',
      'ab',
      'a'.repeat(31),
      'a b',
      'name\u0130',
      '\u212Aelvin',
      '',
    ]) {
      expect(await check(name)).toMatchObject({ status: 200, body: { available: false } })
    }
    for (const name of ['abc', 'a'.repeat(30), 'A.b_c-9']) {
      expect((await check(name)).body).toEqual({ available: true })
    }
  })

  it('answers for an email address that is registered as for one that is not', async () => {
    const { email } = await auth.createUser()
    const known = await check(email)
    const unknown = await check(`${randomUUID()}@example.com`)
    expect(known.body).toEqual({ available: false })
    expect(known.status).toBe(unknown.status)
    expect(known.body).toEqual(unknown.body)
  })

  it('is limited by address', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    try {
      const ask = () =>
        limited.call('checkUsername', undefined, undefined, { query: { username: 'abc' } })
      for (let asked = 0; asked < 30; asked += 1) expect(await ask()).toMatchObject({ status: 200 })
      expect(await ask()).toMatchObject({
        status: 429,
        body: { error: { code: 'TooManyRequestsError' }, retryAfter: 60 },
      })
    } finally {
      await limited.stop()
    }
  })
})

describe('updateUsername', () => {
  it('takes a username in lower case, keeps it when it is taken again, and gives it up with null (A-155)', async () => {
    const user = await auth.signedInUser()
    const name = newName()
    expect(await take(user, name.toUpperCase())).toMatchObject({
      status: 200,
      body: { username: name },
    })
    expect(await take(user, name)).toMatchObject({ status: 200, body: { username: name } })
    expect(await read(user)).toMatchObject({ username: name })
    expect(await take(user, null)).toMatchObject({ status: 200, body: { username: null } })
    expect(await read(user)).not.toHaveProperty('username')
    expect((await check(name)).body).toEqual({ available: true })
  })

  it('refuses a reserved one, in whichever case (A-097)', async () => {
    const user = await auth.signedInUser()
    for (const name of ['admin', 'rOOt']) {
      expect(await take(user, name)).toMatchObject({
        status: 400,
        body: { error: { code: 'ReservedUsernameError' } },
      })
    }
  })

  it('refuses what is too short, too long or of other characters (A-097)', async () => {
    const user = await auth.signedInUser()
    for (const name of ['', 'ab', 'a'.repeat(31), 'a b', 'a@b.c', 'ab\u0000', 'nаme']) {
      expect(await take(user, name)).toMatchObject(invalid('body.username'))
    }
    expect(await take(user, undefined)).toMatchObject({ status: 400 })
  })

  it('has the bounds of its variables (A-097)', async () => {
    const env = { SVC_AUTH_USERNAME_MIN_LENGTH: '5', SVC_AUTH_USERNAME_MAX_LENGTH: '6' }
    const bounded = await startTestAuth({ env })
    try {
      const { key } = await bounded.signedInUser()
      const statusOf = async (username: string) =>
        (await bounded.call('updateUsername', { username }, key)).status
      expect(await statusOf('four')).toBe(400)
      expect(await statusOf('fives')).toBe(200)
      expect(await statusOf('sixsix')).toBe(200)
      expect(await statusOf('7seven7')).toBe(400)
    } finally {
      await bounded.stop()
    }
  })

  it('gives one of sixteen who ask at once the same username, in whichever case', async () => {
    const users = await Promise.all(sixteen.map(() => auth.signedInUser()))
    const name = newName()
    const answers = await Promise.all(
      users.map((user, index) => take(user, index % 2 === 0 ? name : name.toUpperCase())),
    )
    const refusals = answers.filter(({ status }) => status !== 200)
    expect(refusals).toHaveLength(15)
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        status: 409,
        body: { error: { code: 'UsernameAlreadyTakenError' } },
      })
    }
    const names = await Promise.all(users.map(async (user) => (await read(user)).username))
    expect(names.filter((owned) => owned === name)).toHaveLength(1)
  })

  it('is for signed-in users (A-155)', async () => {
    expect(await auth.call('updateUsername', { username: newName() })).toMatchObject({
      status: 401,
    })
    expect(await auth.call('updateLocale', { locale: 'en' })).toMatchObject({ status: 401 })
  })

  it('leaves a line in the audit trail', async () => {
    const user = await auth.signedInUser()
    const username = newName()
    await take(user, username)
    const lines = await auth.auth.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.actor, user.userId))
    expect(lines).toContainEqual(
      expect.objectContaining({ act: 'username.changed', details: { username }, outcome: 'done' }),
    )
  })
})

describe('updateLocale', () => {
  it('takes a language tag in its canonical form, and null for the first one (A-155)', async () => {
    const user = await auth.signedInUser()
    const set = (locale: unknown) => auth.call('updateLocale', { locale }, user.key)
    expect(await set('ko-kr')).toMatchObject({ status: 200, body: { locale: 'ko-KR' } })
    expect(await read(user)).toMatchObject({ profile: { locale: 'ko-KR' } })
    const session = await auth.call('getAuthSession', undefined, user.key)
    expect(session.body).toMatchObject({ locale: 'ko-KR' })
    expect(await set(null)).toMatchObject({ status: 200, body: { locale: 'en' } })
  })

  it('refuses what is no language tag', async () => {
    const { key } = await auth.signedInUser()
    for (const locale of ['', 'C', 'en_US', '../../etc', 'a'.repeat(20)]) {
      expect(await auth.call('updateLocale', { locale }, key)).toMatchObject(invalid('body.locale'))
    }
  })
})

describe('getUserProfile', () => {
  it('tells what an account begins with (A-041, A-157)', async () => {
    const user = await auth.signedInUser()
    const answer = await auth.call('getUserProfile', undefined, user.key)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      userId: user.userId,
      publicId: expect.stringMatching(/^[\da-f]{8}-/),
      email: user.email,
      emailVerified: true,
      phoneVerified: false,
      createdAt: auth.clock.now().toISOString(),
      lastLoginAt: auth.clock.now().toISOString(),
      profile: { locale: 'en', timezone: 'UTC', metadata: {} },
    })
  })

  it('is for signed-in users (A-157)', async () => {
    expect(await auth.call('getUserProfile')).toMatchObject({ status: 401 })
    expect(await auth.call('updateUserProfile', { bio: '' })).toMatchObject({ status: 401 })
  })
})

const whole = {
  displayName: 'Ada 👩🏽‍💻 می‌خواهم',
  firstName: 'Ada',
  lastName: 'Lovelace',
  avatarUrl: 'https://images.example.com/ada.png?size=64',
  bio: 'First line\n\tSecond line',
  locale: 'en-GB',
  timezone: 'Europe/London',
  website: 'http://ada.example.com',
  location: 'London',
  company: 'Analytical Engines',
  jobTitle: 'Programmer',
  metadata: { theme: 'dark', tags: ['a', { b: null }] },
}

describe('updateUserProfile', () => {
  it('changes what is named, and answers the whole (A-047, A-157)', async () => {
    const user = await auth.signedInUser()
    const before = await read(user)
    const answer = await change(user, whole)
    expect(answer).toMatchObject({ status: 200, body: { ...before, profile: whole } })
    expect(await read(user)).toEqual(answer.body)
  })

  it('leaves what is not named, and clears what is null', async () => {
    const user = await auth.signedInUser()
    await change(user, whole)
    const { bio: _, ...withoutBio } = whole
    const { body } = await change(user, { bio: null, company: 'Other' })
    expect(body.profile).toEqual({ ...withoutBio, company: 'Other' })
    expect((await change(user, {})).body).toEqual(body)
    const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, null]))
    const cleared = await change(user, nothing)
    expect(cleared.body.profile).toEqual({ locale: 'en', timezone: 'UTC', metadata: {} })
  })

  it('gives no user a role, a status or a verified address', async () => {
    const user = await auth.signedInUser()
    const before = await auth.call('getAuthSession', undefined, user.key)
    const extra = {
      role: 'superadmin',
      status: 'suspended',
      email: 'other@example.com',
      emailVerifiedAt: null,
      phoneVerifiedAt: '2020-01-01T00:00:00Z',
      userId: randomUUID(),
      publicId: randomUUID(),
      permissions: ['user:delete'],
      passwordHash: 'x',
      generation: 9,
      username: 'admin',
      profile: { role: 'superadmin' },
    }
    expect(await change(user, { ...extra, bio: 'x' })).toMatchObject({ status: 200 })
    await auth.call('updateLocale', { ...extra, locale: null }, user.key)
    await auth.call('updateUsername', { ...extra, username: null }, user.key)
    const after = await auth.call('getAuthSession', undefined, user.key)
    expect(after.body).toEqual(before.body)
    expect(await read(user)).toMatchObject({ phoneVerified: false, emailVerified: true })
  })

  it('refuses links that are none, or that pass one site off as another', async () => {
    const user = await auth.signedInUser()
    const links = [
      '',
      'example.com',
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'https://',
      'https:/example.com',
      'https://good.example\\@evil.example',
      'https://good.example@evil.example',
      'https://exa mple.com',
      `https://example.com/${'a'.repeat(2048)}`,
    ]
    for (const link of links) {
      expect(await change(user, { website: link })).toMatchObject(invalid('body.website'))
      expect(await change(user, { avatarUrl: link })).toMatchObject(invalid('body.avatarUrl'))
    }
  })

  it('takes time zones of the IANA database alone', async () => {
    const user = await auth.signedInUser()
    for (const timezone of ['', 'Mars/Base', '+09:00', 'UTC+9', '../zone']) {
      expect(await change(user, { timezone })).toMatchObject(invalid('body.timezone'))
    }
    const taken = { 'asia/seoul': 'Asia/Seoul', 'Asia/Kolkata': 'Asia/Kolkata', UTC: 'UTC' }
    for (const [timezone, kept] of Object.entries(taken)) {
      expect((await change(user, { timezone })).body.profile.timezone).toBe(kept)
    }
  })

  it('refuses texts that are too long, or that no screen can show', async () => {
    const user = await auth.signedInUser()
    const bounds = {
      displayName: 100,
      firstName: 100,
      lastName: 100,
      bio: 2000,
      location: 200,
      company: 200,
      jobTitle: 200,
    }
    for (const [name, longest] of Object.entries(bounds)) {
      expect(await change(user, { [name]: 'é'.repeat(longest) })).toMatchObject({ status: 200 })
      expect(await change(user, { [name]: 'é'.repeat(longest + 1) })).toMatchObject(
        invalid(`body.${name}`),
      )
      for (const text of ['\u0000', '\u001b[2J', '\u202Egnp.exe', '\ud800']) {
        expect(await change(user, { [name]: text })).toMatchObject(invalid(`body.${name}`))
      }
    }
    expect(await change(user, { displayName: 'a\nb' })).toMatchObject(invalid('body.displayName'))
  })

  it('refuses metadata that is no object, too large, or that no column can hold', async () => {
    const user = await auth.signedInUser()
    const fits = { a: 'é'.repeat((8192 - '{"a":""}'.length) / 2) }
    expect(await change(user, { metadata: fits })).toMatchObject({ status: 200 })
    expect(await change(user, { metadata: { a: `${fits.a}x` } })).toMatchObject(
      invalid('body.metadata'),
    )
    for (const metadata of ['text', 1, [1], true]) {
      expect(await change(user, { metadata })).toMatchObject({ status: 400 })
    }
    expect(await change(user, { metadata: { a: '\u0000' } })).toMatchObject({ status: 400 })
    expect((await read(user)).profile.metadata).toEqual(fits)
  })

  it('changes all of it or nothing', async () => {
    const user = await auth.signedInUser()
    const before = await read(user)
    expect(await change(user, { bio: 'new', timezone: 'Mars/Base' })).toMatchObject({ status: 400 })
    expect(await change(user, { locale: 'ko', metadata: { a: '\u0000' } })).toMatchObject({
      status: 400,
    })
    expect(await read(user)).toEqual(before)
  })
})

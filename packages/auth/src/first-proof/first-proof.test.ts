import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { refused, stepsOf } from '../contact/testing/contact.ts'
import { stepsOf as linkStepsOf } from '../links/testing/links.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { enrol, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { socialAccounts } from '../social/accounts/accounts.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(auth.stop)
const { db } = auth.auth
const { newPhone, rowOf, login, loginByCode, sessionOf } = stepsOf(auth)
const passkeys = passkeysOf(auth)
const reset = linkStepsOf(auth, 'reset')
const wrong = refused(401, 'InvalidCredentialsError')

const set = (userId: string, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))

async function link({ userId }: TestUser) {
  const providerUserId = randomUUID()
  const linked = { userId, provider: 'google', providerUserId, linkedAt: auth.clock.now() }
  await db.insert(socialAccounts).values(linked)
}

/** Who has opened an account with another person's address, as an import brings it, and has settled in. */
async function settled() {
  const user = await auth.signedInUser()
  await set(user.userId, { emailVerifiedAt: null })
  const { device } = await passkeys.enrol(user)
  const machine = await machineOf(auth, user, { permissions: [] })
  await enrol(auth, user)
  await link(user)
  return { user, device, machine }
}

const linksOf = ({ userId }: TestUser) =>
  db.$count(socialAccounts, eq(socialAccounts.userId, userId))

const proofsOf = ({ userId }: TestUser) =>
  db
    .select({ actor: auditEvents.actor, details: auditEvents.details })
    .from(auditEvents)
    .where(and(eq(auditEvents.act, 'contact.proved'), eq(auditEvents.target, userId)))

async function expectNothingLeft({ user, device, machine }: Awaited<ReturnType<typeof settled>>) {
  expect(await sessionOf(user)).toMatchObject({ status: 401 })
  expect(await auth.call('getAuthSession', undefined, machine)).toMatchObject({ status: 401 })
  expect(await login({ email: user.email, password: user.password })).toMatchObject(wrong)
  expect(await passkeys.login(device)).toMatchObject({ status: 401 })
  expect(await linksOf(user)).toBe(0)
  expect(await rowOf(user.userId)).toMatchObject({
    emailVerifiedAt: expect.any(Date),
    secondFactorSince: null,
  })
  expect(await proofsOf(user)).toEqual([{ actor: user.userId, details: { kind: 'email' } }])
}

describe('the first proof of an address', () => {
  it('by a code makes its reader the owner: nothing of before signs in any more', async () => {
    const before = await settled()
    const { email, userId } = before.user
    expect(await loginByCode(email)).toMatchObject({
      status: 200,
      body: { mfaRequired: false, userId },
    })
    await expectNothingLeft(before)
    expect(await rowOf(userId)).toMatchObject({ passwordHash: null })
  })

  it('by a link for a new password does so too', async () => {
    const before = await settled()
    const { email, userId } = before.user
    expect(await reset.finish(await reset.secret(email))).toMatchObject({
      status: 200,
      body: { mfaRequired: false, userId },
    })
    await expectNothingLeft(before)
  })

  it('happens once: what the owner adds then stays', async () => {
    const { user } = await settled()
    const key = await createTestKey()
    const verificationToken = await auth.verificationToken(user.email)
    const body = { email: user.email, verificationToken, ...key.registration }
    expect(await auth.call('login', body)).toMatchObject({ status: 200 })
    const owner = { ...user, key }
    const { device } = await passkeys.enrol(owner)
    expect(await loginByCode(user.email)).toMatchObject({ status: 200 })
    expect(await sessionOf(owner)).toMatchObject({ status: 200 })
    expect(await passkeys.login(device)).toMatchObject({ status: 200 })
  })

  it('of a number makes its reader the owner too', async () => {
    const user = await auth.signedInUser()
    const phone = newPhone()
    await set(user.userId, { email: null, emailVerifiedAt: null, phone })
    expect(await loginByCode(phone)).toMatchObject({ status: 200 })
    expect(await sessionOf(user)).toMatchObject({ status: 401 })
    expect(await rowOf(user.userId)).toMatchObject({ phoneVerifiedAt: expect.any(Date) })
  })

  it('is that of one of two codes at once', async () => {
    const { user } = await settled()
    const tokens = [
      await auth.verificationToken(user.email),
      await auth.verificationToken(user.email),
    ]
    const answers = await Promise.all(
      tokens.map((verificationToken) => login({ email: user.email, verificationToken })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401])
  })
})

describe('an account that has an owner', () => {
  it.each([
    ['has proved another number', { phone: newPhone(), phoneVerifiedAt: new Date() }],
    ['comes from a provider', { passwordHash: null }],
  ])('is not given to the reader of an address that it never proved: it %s', async (_, values) => {
    const user = await auth.signedInUser()
    const { device } = await passkeys.enrol(user)
    await set(user.userId, { emailVerifiedAt: null, ...values })
    expect(await loginByCode(user.email)).toMatchObject(wrong)
    expect(await sessionOf(user)).toMatchObject({ status: 200 })
    expect(await passkeys.login(device)).toMatchObject({ status: 200 })
    expect(await proofsOf(user)).toEqual([])
  })

  it('keeps its second factor, which a reset by an address that it never proved asks for', async () => {
    const user = await auth.signedInUser()
    await enrol(auth, user)
    const proved = { phone: newPhone(), phoneVerifiedAt: auth.clock.now() }
    await set(user.userId, { emailVerifiedAt: null, ...proved })
    expect(await reset.finish(await reset.secret(user.email))).toMatchObject({
      status: 202,
      body: { mfaRequired: true },
    })
    expect(await proofsOf(user)).toEqual([])
  })

  it('keeps what it has when its address is read once more', async () => {
    const user = await auth.signedInUser()
    await link(user)
    expect(await loginByCode(user.email)).toMatchObject({ status: 200 })
    expect(await reset.finish(await reset.secret(user.email))).toMatchObject({ status: 200 })
    expect(await linksOf(user)).toBe(1)
    expect(await proofsOf(user)).toEqual([])
  })
})

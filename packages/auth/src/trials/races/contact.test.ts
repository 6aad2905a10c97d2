import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { contactChanges } from '../../contact/schema.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())
const { db } = auth.auth

const newEmail = () => `${randomUUID()}@example.org`
const prove = (email: string) => auth.verificationToken(email, 'email_change')

/** A change that is proved; sent with any key. */
async function changeOf({ password }: TestUser, email: string) {
  const body = { email, verificationToken: await prove(email), currentPassword: password }
  return (key: TestKey) => operation('changeEmail', body, key)
}

const undo = (token: string) => operation('consumeContactUndoLink', { token })

/** An account whose address was changed, and the link that takes it back. */
async function changedUser() {
  const user = await auth.signedInUser()
  const change = await changeOf(user, newEmail())
  const ask = () => race([change(user.key)])
  return { user, token: await auth.linkSentBy(ask, user.email, 'contact-changed') }
}

async function emailOf({ userId }: TestUser) {
  const [row] = await db.select().from(users).where(eq(users.userId, userId))
  return row?.email
}

const changesOf = ({ userId }: TestUser) =>
  db
    .select()
    .from(contactChanges)
    .where(eq(contactChanges.userId, userId))
    .orderBy(contactChanges.createdAt)

describe('an address', () => {
  it('R36: goes to one of two accounts that prove it at once', () =>
    eachRound(async () => {
      const [one, other] = [await auth.signedInUser(), await auth.signedInUser()]
      const email = newEmail()
      // Another code to the same address would end the one before it.
      const ofOne = await changeOf(one, email)
      const ofOther = await changeOf(other, email)
      const answers = await race(
        times(clients, (index) => (index % 4 < 2 ? ofOne(one.key) : ofOther(other.key))),
      )

      const emails = await Promise.all([one, other].map(emailOf))
      expect(emails.filter((each) => each === email)).toHaveLength(1)
      const [winner, loser] = emails[0] === email ? [one, other] : [other, one]
      expect(await emailOf(loser)).toBe(loser.email)
      const ofWinner = answers.filter((_, index) => index % 4 < 2 === (winner === one))
      const ofLoser = answers.filter((_, index) => index % 4 < 2 !== (winner === one))
      expect(withStatus(ofWinner, 200).length).toBeGreaterThan(0)
      expect(withStatus(ofLoser, 409)).toHaveLength(clients / 2)
    }))

  it('follows the one before it when an account is given sixteen at once', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const emails = times(clients, newEmail)
      const changes = await Promise.all(emails.map((email) => changeOf(user, email)))
      const answers = await race(changes.map((change) => change(user.key)))

      const done = await changesOf(user)
      expect(withStatus(answers, 200)).toHaveLength(done.length)
      expect(withStatus(answers, 401)).toHaveLength(clients - done.length)
      // Each took the place of the one before it.
      const [first = user.email, ...others] = done.map(({ newValue }) => newValue)
      expect(done.map(({ oldValue }) => oldValue)).toEqual(
        [user.email, first, ...others].slice(0, -1),
      )
      expect(await emailOf(user)).toBe([first, ...others].at(-1))
    }))

  it('is not set by a request that was checked before a revocation', async () => {
    const user = await auth.signedInUser()
    const change = await changeOf(user, newEmail())
    const waiting = sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    const { asked } = await db.transaction(async (tx) => {
      const own = eq(users.userId, user.userId)
      await tx.select().from(users).where(own).for('no key update')
      const answers = race([change(user.key)])
      const inLine = async () => (await db.execute(waiting)).rowCount
      await expect.poll(inLine, { timeout: 10_000 }).toBe(1)
      await tx.update(users).set({ generation: 1 }).where(own)
      return { asked: answers }
    })

    expect(withStatus(await asked, 401)).toHaveLength(1)
    expect(await emailOf(user)).toBe(user.email)
  })

  it('refuses a password that was right a moment before it was left', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { email, password } = user
      const change = await changeOf(user, newEmail())
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const [changed, ...logins] = await raceBehind(
        [user.userId],
        [
          change(user.key),
          ...keys.map((key) => operation('login', { email, password, ...key.registration })),
        ],
      )

      expect(changed?.status).toBe(200)
      for (const { status } of logins) expect([200, 401]).toContain(status)
      // Rows of an account are written under its lock, so theirs is the order of what was done.
      const trail = await db
        .select({ act: auditEvents.act })
        .from(auditEvents)
        .where(eq(auditEvents.actor, user.userId))
        .orderBy(auditEvents.auditId)
      expect(trail.at(-1)).toEqual({ act: 'contact.changed' })
    }))

  it('changes in turn with the password', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const change = await changeOf(user, newEmail())
      const body = { currentPassword: user.password, newPassword: 'a quite different pass phrase' }
      const answers = await race(
        times(clients, (index) =>
          index % 2 ? change(user.key) : operation('changePassword', body, user.key),
        ),
      )

      for (const { status } of answers) expect([200, 204, 401]).toContain(status)
      const passwords = withStatus(answers, 204).length
      expect(passwords).toBeLessThanOrEqual(1)
      const isChanged = (await emailOf(user)) !== user.email
      expect(withStatus(answers, 200).length > 0).toBe(isChanged)
      expect(passwords > 0 || isChanged).toBe(true)
    }))
})

describe('an undo link', () => {
  it('is used once by sixteen, and leaves no key', () =>
    eachRound(async () => {
      const { user, token } = await changedUser()
      const answers = await race(times(clients, () => undo(token)))

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 404)).toHaveLength(clients - 1)
      expect(await emailOf(user)).toBe(user.email)
      expect((await auth.liveKeys(user.userId, [user.key])).active).toEqual([])
    }))

  it('has the last word over changes and sign-ins that race it', () =>
    eachRound(async () => {
      const { user, token } = await changedUser()
      const { password } = user
      const email = (await emailOf(user)) as string
      const keys = await Promise.all(times(7, () => createTestKey()))
      const changes = await Promise.all(times(8, () => changeOf(user, newEmail())))
      const [undone] = await race([
        undo(token),
        ...changes.map((change) => change(user.key)),
        ...keys.map((key) => operation('login', { email, password, ...key.registration })),
      ])

      expect(undone?.status).toBe(200)
      expect(await emailOf(user)).toBe(user.email)
      const left = await auth.liveKeys(user.userId, [user.key, ...keys])
      expect(left).toEqual({ active: [], answering: [] })
    }))
})

import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { oauthUnlinkedEvent } from '../../events.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { testProvider } from '../../social/browser/testing/test-provider.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const school = testProvider('race-school', {
  verifyUnlinkNotification: ({ fields }) => ({
    providerUserId: fields.get('who') ?? '',
    reason: 'left_school',
  }),
})
const club = testProvider('race-club')

const { operation, race, ...auth } = await startRace({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const { put, linkOf } = linksOf(auth)
const { enrol, list } = passkeysOf(auth)

const told: string[] = []
oauthUnlinkedEvent.subscribe(({ providerUserId }) => void told.push(providerUserId))

/** Somebody with no password, and no address that is proved. */
async function userWithout() {
  const user = await auth.signedInUser()
  const none = { passwordHash: null, emailVerifiedAt: null }
  await db.update(users).set(none).where(eq(users.userId, user.userId))
  return user
}

describe('of the last ways in that are taken away at once, one stays', () => {
  it('of two providers (R22)', () =>
    eachRound(async () => {
      const user = await userWithout()
      for (const provider of [school, club]) await put(user.userId, provider, randomUUID())
      const answers = await race(
        times(clients, (index) => {
          const provider = index % 4 < 2 ? school.id : club.id
          return operation('unlinkSocialAccount', { provider }, user.key)
        }),
      )
      expect(withStatus(answers, 200)).toHaveLength(1)
      const left = await Promise.all([school, club].map((each) => linkOf(user.userId, each)))
      expect(left.filter(Boolean)).toHaveLength(1)
    }))

  it('of a provider and a passkey (R22)', () =>
    eachRound(async () => {
      const user = await userWithout()
      const { passkeyId } = await enrol(user)
      await put(user.userId, school, randomUUID())
      const answers = await race(
        times(clients, (index) =>
          index % 4 < 2
            ? operation('unlinkSocialAccount', { provider: school.id }, user.key)
            : operation('revokePasskey', { passkeyId }, user.key),
        ),
      )
      expect(withStatus(answers, 200)).toHaveLength(1)
      const isLinked = (await linkOf(user.userId, school)) !== null
      expect((await list(user)).length + Number(isLinked)).toBe(1)
    }))
})

describe('a notice of a provider', () => {
  it('that comes again and again at once is told once, also as its owner takes the link away', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const who = randomUUID()
      await put(user.userId, school, who)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const path = `/_auth/oauth/${school.id}/unlink-notify`
      const answers = await race([
        operation('unlinkSocialAccount', { provider: school.id }, user.key),
        ...times(clients - 1, () => (at: { url: string }) => {
          return { method: 'POST', url: `${at.url}${path}`, headers, body: `who=${who}` }
        }),
      ])
      expect(withStatus(answers.slice(1), 200)).toHaveLength(clients - 1)
      expect([200, 404]).toContain(answers[0]?.status)
      expect(await linkOf(user.userId, school)).toBeNull()
      await expect
        .poll(() => told.filter((each) => each === who), { timeout: 10_000 })
        .toHaveLength(1)
    }))
})

import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { kakaoUser, startTestKakao } from '../../providers/testing/test-kakao.ts'
import { startTestNaver } from '../../providers/testing/test-naver.ts'
import { done, refused } from '../../test-answers.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { showingTo } from './testing/test-native.ts'

const [kakao, naver] = await Promise.all([startTestKakao(), startTestNaver()])
const auth = await startTestAuth({ env: { ...withKeyring(), ...kakao.env, ...naver.env } })
afterAll(async () => {
  await auth.stop()
  kakao.stop()
  naver.stop()
})
afterEach(() => {
  kakao.misbehave(null)
  naver.misbehave(null)
})
const { createUser } = auth
const show = showingTo(auth)
const accountsAt = (email: string) => auth.auth.db.$count(users, eq(users.email, email))
const newAddress = () => `${randomUUID()}@example.com`
const unverified = refused(400, 'UnverifiedEmailLinkError')

let people = 1_000_000
const newKakaoId = () => (people += 1)
const newNaverId = () => `naver-${(people += 1)}`

interface Account {
  id: number
  email: string
  valid?: unknown
  verified?: unknown
}

/** An access token of Kakao’s for the user with the address. */
const kakaoAccess = ({ id, email, valid = true, verified = true }: Account) =>
  kakao.accessTokenOf({
    id,
    kakao_account: {
      ...kakaoUser.kakao_account,
      email,
      is_email_valid: valid,
      is_email_verified: verified,
    },
  })

async function byKakao({ id, email, accessToken, ...claims }: Record<string, unknown>) {
  const key = await createTestKey()
  const right = { nonce: key.registration.fingerprint, sub: String(id), email }
  const idToken = await kakao.idToken({ ...right, ...claims }, auth.clock.now())
  return show('kakao', key, { idToken, accessToken })
}

async function byNaver({ id, accessToken, ...claims }: Record<string, unknown>) {
  const key = await createTestKey()
  const right = { nonce: key.registration.fingerprint, sub: String(id) }
  const idToken = await naver.idToken({ ...right, ...claims }, auth.clock.now())
  return show('naver', key, { idToken, accessToken })
}

describe('Kakao', () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
    [null, null, false],
    ['true', 'true', false],
  ])(
    'with an address that is valid: %s, and verified: %s, may be linked by it: %s (A-298)',
    async (valid, verified, mayLink) => {
      const { userId, email } = await createUser()
      const id = newKakaoId()
      const accessToken = kakaoAccess({ id, email, valid, verified })
      const answer = await byKakao({ id, email, accessToken })
      expect(answer).toMatchObject(
        mayLink ? { status: 200, body: { userId, isNewUser: false } } : unverified,
      )
    },
  )

  it('needs no access token: the account has no address then, though the id token has one (A-297, A-301)', async () => {
    const email = newAddress()
    const answer = await byKakao({ id: newKakaoId(), email })
    expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
    expect(answer.body).not.toHaveProperty('email')
    expect(await accountsAt(email)).toBe(0)
  })

  it('links no account by an address that is in the id token alone (A-301)', async () => {
    const { userId, email } = await createUser()
    const answer = await byKakao({ id: newKakaoId(), email })
    expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
    expect(answer.body.userId).not.toBe(userId)
  })

  it.each(['of another user', 'of another application', 'that is none'])(
    'takes an access token %s for none (A-300)',
    async (whose) => {
      const { userId, email } = await createUser()
      const id = newKakaoId()
      const tokens: Record<string, string> = {
        'of another user': kakaoAccess({ id: newKakaoId(), email }),
        // A user has another number there.
        'of another application': kakaoAccess({ id: id + 500_000, email }),
        'that is none': 'invented',
      }
      const answer = await byKakao({ id, email, accessToken: tokens[whose] })
      expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
      expect(answer.body.userId).not.toBe(userId)
      expect(answer.body).not.toHaveProperty('email')
    },
  )

  it('is as without a token while the look-up fails, and gets the address the next time (A-300)', async () => {
    const [id, email] = [newKakaoId(), newAddress()]
    await byKakao({ id: newKakaoId() })
    kakao.misbehave('down')
    const accessToken = kakaoAccess({ id, email })
    const first = await done(byKakao({ id, accessToken }))
    expect(first).not.toHaveProperty('email')
    kakao.misbehave(null)
    const again = await done(byKakao({ id, accessToken }))
    expect(again).toMatchObject({ userId: first.userId, isNewUser: false })
    expect(await accountsAt(email)).toBe(1)
  })

  it('takes tokens for the app and for the web, for the same user, and for no other (A-302)', async () => {
    const id = newKakaoId()
    const answers = []
    for (const aud of ['native-app-key', 'rest-api-key'])
      answers.push(await done(byKakao({ id, aud })))
    expect(answers[1]).toMatchObject({ userId: answers[0].userId, isNewUser: false })
    const accessToken = kakaoAccess({ id, email: newAddress() })
    const other = await byKakao({ id, aud: 'another-app', accessToken })
    expect(other).toMatchObject(refused(401, 'InvalidSocialTokenError'))
  })
})

describe('Naver', () => {
  it('has its address from the look-up, which counts as verified (A-299)', async () => {
    const { userId, email } = await createUser()
    const id = newNaverId()
    const answer = await byNaver({ id, accessToken: naver.accessTokenOf({ id, email }) })
    expect(answer).toMatchObject({ status: 200, body: { userId, isNewUser: false } })
  })

  it('opens an account without an address where there is no access token (A-297, A-301)', async () => {
    const { userId, email } = await createUser()
    const answer = await byNaver({ id: newNaverId(), email, email_verified: true })
    expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
    expect(answer.body.userId).not.toBe(userId)
    expect(answer.body).not.toHaveProperty('email')
  })

  it('takes the access token of another user, and one that Naver refuses, for none (A-300)', async () => {
    const { userId, email } = await createUser()
    for (const user of [
      { id: newNaverId(), email },
      { id: 'x', email, resultcode: '024' },
    ]) {
      const accessToken = naver.accessTokenOf(user)
      const answer = await byNaver({ id: newNaverId(), accessToken })
      expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
      expect(answer.body.userId).not.toBe(userId)
    }
  })

  it('takes the id token of a browser flow of the app, for its client alone (A-303)', async () => {
    const id = newNaverId()
    expect(await byNaver({ id })).toMatchObject({ status: 200 })
    const other = await byNaver({ id, aud: 'another-app' })
    expect(other).toMatchObject(refused(401, 'InvalidSocialTokenError'))
  })
})

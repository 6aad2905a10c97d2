import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth } from '../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

describe('a verification token', () => {
  const login = async (email: string, verificationToken: string) => {
    const { registration } = await createTestKey()
    return auth.call('login', { email, verificationToken, ...registration })
  }
  const refused = (code: string) => ({ status: 400, body: { error: { code } } })

  it('signs in, in the place of a password (A-142)', async () => {
    const { email, userId } = await auth.createUser()
    const token = await auth.verificationToken(email)
    expect(await login(email, token)).toMatchObject({ status: 200, body: { userId } })
  })

  it('is good once, also for sixteen that come at once', async () => {
    const { email } = await auth.createUser()
    const token = await auth.verificationToken(email)
    const answers = await Promise.all(Array.from({ length: 16 }, () => login(email, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    for (const answer of others) {
      expect(answer).toMatchObject(refused('InvalidVerificationTokenError'))
    }
  })

  it('is good for the purpose and the address it was issued for', async () => {
    const [here, there] = [await auth.createUser(), await auth.createUser()]
    const registration = await auth.verificationToken(here.email, 'registration')
    const elsewhere = await auth.verificationToken(there.email)
    expect(await login(here.email, registration)).toMatchObject(
      refused('VerificationTokenPurposeMismatchError'),
    )
    expect(await login(here.email, elsewhere)).toMatchObject(
      refused('VerificationTokenTargetMismatchError'),
    )
    // Who it was refused to has not used it up.
    expect(await login(there.email, elsewhere)).toMatchObject({ status: 200 })
  })

  it('is refused once its 15 minutes are over', async () => {
    const { email } = await auth.createUser()
    const token = await auth.verificationToken(email)
    auth.clock.advance('15m')
    expect(await login(email, token)).toMatchObject(refused('InvalidVerificationTokenError'))
  })

  it('is refused when anything of it was changed, or another secret signed it (A-140)', async () => {
    const { email } = await auth.createUser()
    const token = await auth.verificationToken(email)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const other = await startTestAuth({
      env: { SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'another secret, just as long as the first one' },
    })
    other.clock.set(auth.clock.now())
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const forged = [
      await other.verificationToken(email),
      `${header}.${encode({ ...claims, jti: 'another' })}.${signature}`,
      `${encode({ alg: 'none', typ: 'svc-verification+jwt' })}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      'token',
      '',
    ]
    await other.stop()
    for (const each of forged) {
      expect(await login(email, each)).toMatchObject(refused('InvalidVerificationTokenError'))
    }
    expect(await login(email, token)).toMatchObject({ status: 200 })
  })
})

import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { afterAll, expect, it } from 'vitest'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { deviceKeys } from '../../keys/schema.ts'
import { startTestAuth } from '../../testing.ts'

const secret = 'one secret that is used for two things, by mistake'
const auth = await startTestAuth({
  env: { SVC_AUTH_JWT_SECRET: secret, SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret },
})
afterAll(() => auth.stop())

const session = (token: string) =>
  auth.call('getAuthSession', undefined, undefined, {
    headers: { authorization: `Bearer ${token}` },
  })

it('a legacy token ends with the life of the key that it names', async () => {
  const { userId, key } = await auth.signedInUser()
  const { keyId } = key
  const token = await new SignJWT({ userId, keyId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('svc-auth')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
  expect(await session(token)).toMatchObject({ status: 200, body: { keyId } })
  const expiresAt = auth.clock.now()
  await auth.auth.db.update(deviceKeys).set({ expiresAt }).where(eq(deviceKeys.keyId, keyId))
  expect(await session(token)).toMatchObject({ status: 401 })
})

it('a verification token does not sign in as a legacy token, also where one secret is used for both', async () => {
  const { email } = await auth.createUser()
  expect(await session(await auth.verificationToken(email))).toMatchObject({ status: 401 })
})

it('a legacy token gets no one-time token, which would have no key to end with', async () => {
  const { userId } = await auth.createUser()
  const headers = { authorization: `Bearer ${await issueLegacyToken(userId)}` }
  expect(await auth.call('issueOneTimeToken', undefined, undefined, { headers })).toMatchObject({
    status: 403,
    body: { error: { code: 'ForbiddenError' } },
  })
})

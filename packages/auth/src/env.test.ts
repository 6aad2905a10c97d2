import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineEnv, defineServer, type EnvironmentSource, startServer } from '@svc/core'
import { jwtVerify } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { readAuthEnv } from './env.ts'
import { createAuthLifecycle } from './lifecycle.ts'
import { passwordResetVariables } from './password-reset/env.ts'
import { revokeAllVariables } from './revoke-all/env.ts'
import { signupVariables } from './signup/env.ts'
import { startTestAuth } from './testing.ts'

const secret = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough' }

/** What the server says of these variables as it starts, before anything connects. */
function problemsOf(source: EnvironmentSource): readonly string[] {
  try {
    createAuthLifecycle().validateEnvironment?.({ ...secret, ...source })
    return []
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

describe('variables of the server', () => {
  it('are told apart by every problem there is, in one error', () => {
    expect(
      problemsOf({
        SVC_APP_URL: 'https://app.example.com/app',
        SVC_AUTH_VERIFICATION_TOKEN_SECRET: '',
        SVC_AUTH_SIGNUP_LINK_TTL_MINUTES: '0',
        SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH: 'reset',
        SVC_AUTH_TOKEN_ENCRYPTION_KEYS: 'a:b',
        SVC_AUTH_PASSKEY_USER_VERIFICATION: 'discouraged',
        SVC_AUTH_OAUTH_ERROR_URL: 'error',
        SVC_AUTH_ADMIN_ACCOUNTS: 'none',
        SVC_MAIL_URL: 'pigeon:',
      }).map((problem) => problem.split(' ')[0]),
    ).toEqual([
      'SVC_AUTH_VERIFICATION_TOKEN_SECRET',
      'SVC_AUTH_SIGNUP_LINK_TTL_MINUTES',
      'SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH',
      'SVC_MAIL_URL',
      'SVC_APP_URL',
      'SVC_AUTH_ADMIN_ACCOUNTS',
      'SVC_AUTH_TOKEN_ENCRYPTION_KEYS',
      'SVC_AUTH_OAUTH_ERROR_URL',
      'SVC_AUTH_PASSKEY_USER_VERIFICATION',
    ])
  })

  it('name a database in production, or nothing starts (A-075)', async () => {
    const definition = defineServer().lifecycle(createAuthLifecycle())
    const env = {
      ...secret,
      NODE_ENV: 'production',
      SVC_APP_URL: 'https://app.example.com',
      SVC_MAIL_URL: 'none',
    }
    await expect(startServer(definition, { env, port: 0 })).rejects.toThrow(
      'DATABASE_URL is required',
    )
  })

  it('lead mailed links to the pages of the app that they are for (A-099)', () => {
    const variables = { ...signupVariables, ...passwordResetVariables, ...revokeAllVariables }
    expect(defineEnv(variables)({})).toMatchObject({
      SVC_AUTH_SIGNUP_CONFIRM_PATH: '/signup/confirm',
      SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH: '/password/reset',
      SVC_AUTH_REVOKE_ALL_CONFIRM_PATH: '/account/revoke-all',
    })
  })

  it('name the app in production, where mailed links lead', () => {
    const production = { NODE_ENV: 'production', SVC_MAIL_URL: 'none' }
    expect(problemsOf(production)).toEqual([
      'SVC_APP_URL is required in production: set it to the address of the web app, where mailed links lead',
    ])
    const publicUrl = { NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com' }
    expect(problemsOf({ ...production, ...publicUrl })).toEqual([])
  })

  it.each([
    'app.example.com',
    'ftp://app.example.com',
    'https://app.example.com/app',
    'https://app.example.com/?a',
    'https://user@app.example.com',
    'https://',
  ])('refuse %s as the address of the app', (url) => {
    const problem = 'must be an address without a path, such as https://app.example.com'
    expect(problemsOf({ SVC_APP_URL: url })).toEqual([`SVC_APP_URL ${problem}`])
    expect(problemsOf({ NEXT_PUBLIC_SVC_APP_URL: url })).toEqual([
      `NEXT_PUBLIC_SVC_APP_URL ${problem}`,
    ])
  })

  it('leave a username between its bounds', () => {
    expect(
      problemsOf({ SVC_AUTH_USERNAME_MIN_LENGTH: '9', SVC_AUTH_USERNAME_MAX_LENGTH: '8' }),
    ).toEqual([
      'SVC_AUTH_USERNAME_MIN_LENGTH must not be greater than SVC_AUTH_USERNAME_MAX_LENGTH',
    ])
  })

  it('give threads that hash the lowest priority, unless told otherwise', () => {
    expect(readAuthEnv(secret).SVC_AUTH_HASH_NICE).toBe(19)
    expect(readAuthEnv({ ...secret, SVC_AUTH_HASH_NICE: '0' }).SVC_AUTH_HASH_NICE).toBe(0)
    for (const nice of ['20', '-1', 'low']) {
      expect(problemsOf({ SVC_AUTH_HASH_NICE: nice })).toEqual([
        'SVC_AUTH_HASH_NICE must be a whole number from 0 to 19',
      ])
    }
  })

  it('take 4 to 16 rounds of bcrypt, and 12 unless told otherwise', () => {
    expect(readAuthEnv(secret).SVC_AUTH_BCRYPT_SALT_ROUNDS).toBe(12)
    for (const rounds of ['3', '17', '12.5', 'many']) {
      expect(problemsOf({ SVC_AUTH_BCRYPT_SALT_ROUNDS: rounds })).toEqual([
        'SVC_AUTH_BCRYPT_SALT_ROUNDS must be a whole number from 4 to 16',
      ])
    }
  })
})

describe('a server with other variables', async () => {
  const breached = 'a breached password'
  const asked: (string | undefined)[] = []
  const collection = createServer((request, response) => {
    asked.push(request.url)
    const hash = createHash('sha1').update(breached).digest('hex').toUpperCase()
    response.end(`${hash.slice(5)}:42`)
  })
  await new Promise<void>((resolve) => collection.listen(0, '127.0.0.1', resolve))
  const { port } = collection.address() as AddressInfo
  const auth = await startTestAuth({
    env: {
      SVC_AUTH_BREACHED_PASSWORDS: 'on',
      SVC_AUTH_BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range`,
      SVC_AUTH_PASSWORD_SCHEME: 'argon2id',
      SVC_AUTH_REQUEST_BINDING: 'bearer',
    },
  })
  afterAll(async () => {
    await auth.stop()
    collection.close().closeAllConnections()
  })

  it('asks whether a password that is set was breached', async () => {
    const user = await auth.signedInUser()
    const change = { currentPassword: user.password, newPassword: breached }
    const answer = await auth.call('changePassword', change, user.key)

    expect(answer.body).toMatchObject({ __type: 'WeakPasswordError', reasons: ['breached'] })
    expect(asked).toEqual([expect.stringMatching(/^\/range\/[0-9A-F]{5}$/)])
  })

  it('hashes passwords with argon2id', async () => {
    expect(await auth.auth.passwords.hash('a good long one')).toMatch(/^svc1\$\$argon2id\$/)
  })

  it('says in its log which binding of requests is in force', () => {
    expect(auth.logged).toContainEqual(
      expect.objectContaining({ requestBinding: 'bearer', msg: 'sign-in starts' }),
    )
  })
})

describe('a server with the fewest variables', async () => {
  const auth = await startTestAuth()
  afterAll(() => auth.stop())

  it('hashes passwords with bcrypt, and says that requests are bound strictly', async () => {
    expect(await auth.auth.passwords.hash('a good long one')).toMatch(/^svc1\$\$2b\$04\$/)
    expect(auth.logged).toContainEqual(
      expect.objectContaining({ level: 'info', requestBinding: 'strict' }),
    )
  })

  it('needs the secret that signs what a code was exchanged for (A-076)', async () => {
    const name = 'SVC_AUTH_VERIFICATION_TOKEN_SECRET'
    expect(problemsOf({ [name]: undefined })).toEqual([`${name} is required`])

    const token = await auth.verificationToken('ada@example.com', 'registration')
    const verify = (text: string) =>
      jwtVerify(token, new TextEncoder().encode(text), { currentDate: auth.clock.now() })
    await expect(verify(auth.auth.env[name])).resolves.toBeDefined()
    await expect(verify(`${auth.auth.env[name]}x`)).rejects.toThrow('signature')
  })
})

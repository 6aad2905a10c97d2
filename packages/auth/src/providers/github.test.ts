import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createGithubProvider } from './github.ts'
import { ProviderUnavailableError } from './openid/openid.ts'
import { ProviderRefusalError } from './provider.ts'
import { githubUser, startTestGithub } from './testing/test-github.ts'
import { needsFrom, obtainCode, signInOnTheWeb } from './testing/test-provider-needs.ts'

const github = await startTestGithub()
afterAll(github.stop)
beforeEach(() => {
  github.setUser(githubUser)
  github.misbehave(null)
})

const provider = createGithubProvider(needsFrom('github', github.env))
const signIn = async () => (await signInOnTheWeb(provider)).identity
const primary = { email: 'octocat@example.com', primary: true, verified: true }

describe('signing in with GitHub', () => {
  it('is by the number of the user, with the primary address that GitHub has verified (A-279)', async () => {
    expect(await signIn()).toEqual({
      providerUserId: '583231',
      email: 'octocat@example.com',
      isEmailVerified: true,
      name: 'The Octocat',
    })
  })

  it('has the address unverified where GitHub does not say true (A-279)', async () => {
    for (const verified of [false, null, 'true', 1, undefined]) {
      github.setUser({ ...githubUser, emails: [{ ...primary, verified }] })
      expect(await signIn()).toMatchObject({ email: primary.email, isEmailVerified: false })
    }
  })

  it('has none but the primary address, even if others are verified (A-279)', async () => {
    const other = { email: 'other@example.com', primary: false, verified: true }
    github.setUser({ ...githubUser, emails: [other, { ...primary, verified: false }] })
    expect(await signIn()).toMatchObject({ email: primary.email, isEmailVerified: false })

    github.setUser({ ...githubUser, email: 'shown@example.com', emails: [other] })
    expect(await signIn()).toEqual({
      providerUserId: '583231',
      name: 'The Octocat',
      isEmailVerified: false,
    })
  })

  it('has no address where no mail arrives (A-279)', async () => {
    const email = '583231+octocat@users.noreply.github.com'
    github.setUser({ ...githubUser, emails: [{ ...primary, email }] })
    expect(await signIn()).not.toHaveProperty('email')
    expect(await signIn()).toMatchObject({ isEmailVerified: false })
  })

  it.each([403, 404])(
    'has the address of the profile, unverified, without the scope: %i (A-279)',
    async (emailsStatus) => {
      github.setUser({ ...githubUser, email: 'shown@example.com', emailsStatus })
      expect(await signIn()).toMatchObject({ email: 'shown@example.com', isEmailVerified: false })

      github.setUser({ ...githubUser, email: null, emailsStatus })
      expect(await signIn()).not.toHaveProperty('email')
    },
  )

  it.each([
    undefined,
    null,
    '',
    0,
    -1,
    1.5,
    2 ** 53,
    '583231',
    'undefined',
    'a'.repeat(10_000),
    {},
  ])('is refused with the id %.20s (A-279)', async (id) => {
    github.setUser({ ...githubUser, id })
    await expect(signIn()).rejects.toThrow(ProviderRefusalError)
  })

  it('proves with a secret and with the verifier that the code was sent to us (A-279)', async () => {
    const url = new URL(
      await provider.getAuthUrl({
        redirectUri: 'http://localhost/',
        state: 's',
        codeChallenge: 'c',
        nonce: 'n',
      }),
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: github.env.SVC_AUTH_GITHUB_CLIENT_ID,
      redirect_uri: 'http://localhost/',
      state: 's',
      scope: 'read:user user:email',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
    await expect(signInOnTheWeb(provider, { codeVerifier: 'another' })).rejects.toThrow(
      ProviderRefusalError,
    )
    const elsewhere = 'http://localhost/elsewhere'
    await expect(signInOnTheWeb(provider, { redirectUri: elsewhere })).rejects.toThrow(
      ProviderRefusalError,
    )
    const env = { ...github.env, SVC_AUTH_GITHUB_CLIENT_SECRET: 'another' }
    await expect(signInOnTheWeb(createGithubProvider(needsFrom('github', env)))).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('redeems a code once (A-279)', async () => {
    const code = await obtainCode(provider)
    await provider.exchangeCode(code)
    await expect(provider.exchangeCode(code)).rejects.toThrow(ProviderRefusalError)
  })

  it.each(['down', 'huge', 'redirecting'] as const)(
    'says that GitHub cannot be asked when it is %s (A-279)',
    async (how) => {
      const code = await obtainCode(provider)
      const tokens = await provider.exchangeCode(code)
      github.misbehave(how)
      await expect(provider.exchangeCode(code)).rejects.toThrow(ProviderUnavailableError)
      await expect(provider.getIdentity(tokens, { nonce: '' })).rejects.toThrow(
        ProviderUnavailableError,
      )
      expect(github.asked.map(({ path }) => path)).not.toContain('/elsewhere')
    },
  )

  it('is neither on the web nor anywhere else without a client (A-086)', () => {
    const off = createGithubProvider(needsFrom('github', {}))
    expect(off).toMatchObject({ web: false })
    expect(off).not.toHaveProperty('verifyNativeIdToken')
    expect(off).not.toHaveProperty('verifyUnlinkNotification')
    expect(() =>
      off.exchangeCode({ redirectUri: '', code: '', codeVerifier: '', state: '' }),
    ).toThrow()
  })
})

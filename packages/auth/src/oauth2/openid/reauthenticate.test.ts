import { afterAll, describe, expect, it } from 'vitest'
import { enrolledUser, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { done } from '../../test-answers.ts'
import { startTestAuth } from '../../testing.ts'
import { issuer, refused } from '../testing/test-agent.ts'
import { openidOptions, testRelyingParty } from '../testing/test-openid.ts'

const auth = await startTestAuth({
  ...openidOptions,
  env: { ...openidOptions.env, ...withKeyring() },
})
afterAll(auth.stop)
const intranet = testRelyingParty(auth)
const partner = testRelyingParty(auth, 'partner')

type Fields = Record<string, string>

const atSignIn = (body: { redirectTo?: string }) =>
  Object.fromEntries(new URL(body.redirectTo ?? '').searchParams)

const asksForProof = { status: 403, body: { error: { code: 'RecentAuthenticationRequiredError' } } }

describe('prompt=login (Core, section 3.1.2.1)', () => {
  it('asks a user who is signed in to prove it again, and says when they did', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(5000)
    const fields = await intranet.passedOn({ prompt: 'login' })
    expect(await intranet.decide(user, fields)).toMatchObject(asksForProof)
    auth.clock.advance(5000)
    await auth.proveRecent(user)
    const { code } = atSignIn((await intranet.decide(user, fields)).body)
    const { body } = await intranet.redeem(code)
    const { claims } = await intranet.claimsOf(body.id_token)
    expect(claims.auth_time).toBe(Math.floor(auth.clock.now().getTime() / 1000))
  })

  it('counts a sign-in that the request itself has led to', async () => {
    const fields = await intranet.passedOn({ prompt: 'login' })
    auth.clock.advance(1)
    const user = await auth.signedInUser()
    expect(atSignIn((await intranet.decide(user, fields)).body)).toHaveProperty('code')
  })

  it('takes no time that this server has not noted for this request, nor one of long ago', async () => {
    const noted = await intranet.passedOn({ prompt: 'login' })
    auth.clock.advance(1000)
    const user = await auth.signedInUser()
    auth.clock.advance(1000)
    const asked = intranet.asked({ prompt: 'login' })
    const [millis = '', seal = ''] = noted.asked_at?.split('.') ?? []
    const forged: Fields[] = [
      asked,
      { ...asked, asked_at: '0.' },
      { ...asked, asked_at: `${Number(millis) - 1}.${seal}` },
      { ...noted, state: 'another state' },
      { ...noted, nonce: 'another nonce' },
      { ...noted, client_id: 'partner' },
    ]
    for (const fields of forged) {
      expect(await intranet.decide(user, fields)).toMatchObject(refused('invalid_request'))
    }
    auth.clock.advance(3_600_000)
    await auth.proveRecent(user)
    expect(await intranet.decide(user, noted)).toMatchObject(refused('invalid_request'))
  })
})

describe('max_age', () => {
  it('asks for a proof if the last one is longer ago', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(60_000)
    const fresh = await intranet.passedOn({ max_age: '60' })
    expect(atSignIn((await intranet.decide(user, fresh)).body)).toHaveProperty('code')
    auth.clock.advance(1)
    const stale = await intranet.passedOn({ max_age: '60' })
    expect(await intranet.decide(user, stale)).toMatchObject(asksForProof)
    auth.clock.advance(1)
    await auth.proveRecent(user)
    auth.clock.advance(61_000)
    // After the request, however long the user needs until they agree.
    expect(atSignIn((await intranet.decide(user, stale)).body)).toHaveProperty('code')
  })

  it('of 0 asks as prompt=login does', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(1)
    const fields = await intranet.passedOn({ max_age: '0' })
    expect(await intranet.decide(user, fields)).toMatchObject(asksForProof)
  })
})

describe('a user with a second factor', () => {
  it.each([{ prompt: 'login' }, { max_age: '60' }])(
    'proves it for %o, which the password alone does not replace (A-247)',
    async (asked) => {
      const user = await enrolledUser(auth)
      auth.clock.advance(60_001)
      const quiet = await intranet.passedOn({ max_age: '60', prompt: 'none' })
      const fields = await intranet.passedOn(asked)
      auth.clock.advance(1)
      await auth.proveRecent(user)
      expect(await intranet.decide(user, fields)).toMatchObject({
        status: 403,
        body: { error: { code: 'StepUpRequiredError' } },
      })
      expect(atSignIn((await intranet.decide(user, quiet)).body).error).toBe('login_required')
      await done(auth.call('mfaStepUp', { code: user.code() }, user.key))
      const provedAt = Math.floor(auth.clock.now().getTime() / 1000)
      auth.clock.advance(5000)
      const { code } = atSignIn((await intranet.decide(user, fields)).body)
      const { body } = await intranet.redeem(code)
      expect((await intranet.claimsOf(body.id_token)).claims.auth_time).toBe(provedAt)
    },
  )

  it('is asked for nothing where the application asks for no proof', async () => {
    const user = await enrolledUser(auth)
    auth.clock.advance(86_400_000)
    expect(await intranet.answered(user)).toHaveProperty('code')
  })
})

describe('prompt=none', () => {
  it('signs in a user of a trusted client, without a page', async () => {
    const user = await auth.signedInUser()
    const fields = await intranet.passedOn({ prompt: 'none' })
    expect((await intranet.describe(user, fields)).body.signIn.isAllowed).toBe(true)
    expect(await intranet.answered(user, { prompt: 'none' })).toHaveProperty('code')
  })

  it('tells the client what is lacking (Core, section 3.1.2.6)', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(1000)
    const told = { state: 'a state', iss: issuer }
    expect(await partner.answered(user, { prompt: 'none' })).toMatchObject({
      ...told,
      error: 'consent_required',
    })
    const old = { prompt: 'none', max_age: '0' }
    const loginRequired = { ...told, error: 'login_required' }
    expect(await intranet.answered(user, old)).toMatchObject(loginRequired)
    // The page has found no session.
    const { searchParams } = await intranet.visit(await intranet.passedOn({ prompt: 'none' }))
    expect(Object.fromEntries(searchParams)).toMatchObject(loginRequired)
  })

  it('is the only prompt that a missing session ends', async () => {
    const { pathname } = await intranet.visit(await intranet.passedOn())
    expect(pathname).toBe('/oauth2/consent')
  })
})

describe('id_token_hint', () => {
  it('means its user, also when it has expired, and no other one', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const { id_token } = await intranet.signIn(user)
    auth.clock.advance(7_200_000)
    const hint = { id_token_hint: id_token }
    for (const prompt of [undefined, 'none']) {
      expect(await intranet.answered(user, { ...hint, prompt })).toHaveProperty('code')
      expect(await intranet.answered(other, { ...hint, prompt })).toMatchObject({
        error: 'login_required',
      })
    }
  })

  it('is one of the application that sends it', async () => {
    const user = await auth.signedInUser()
    const { id_token } = await testRelyingParty(auth, 'partner').signIn(user)
    for (const prompt of [undefined, 'none']) {
      expect(await intranet.answered(user, { id_token_hint: id_token, prompt })).toMatchObject({
        error: 'login_required',
      })
    }
  })

  it('is one that this server has signed', async () => {
    const user = await auth.signedInUser()
    const { id_token } = await intranet.signIn(user)
    const [header = '', payload = '', signature = ''] = id_token.split('.')
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = [
      'none',
      `${header}.${payload}.`,
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${header}.${encoded({ ...claims, aud: 'partner' })}.${signature}`,
      `${encoded({ alg: 'ES256', kid: 'old' })}.${payload}.${signature}`,
      `${encoded({ alg: 'RS256', kid: 'new' })}.${payload}.${signature}`,
    ]
    for (const id_token_hint of forged) {
      expect(await intranet.answered(user, { id_token_hint })).toMatchObject({
        error: 'login_required',
      })
    }
  })
})

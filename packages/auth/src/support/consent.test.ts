import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createRole } from '../roles/roles.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { supportCodes } from './schema.ts'
import { sessionOf, supported } from './testing/support.ts'

const auth = await startTestAuth({ definition: supported({ support: { consent: 'code' } }) })
const root = await auth.signedInUser({ role: 'superadmin' })
const { call, clock } = auth
const { db } = auth.auth
afterAll(() => auth.stop())

const noConsent = refused(401, 'SupportCodeError')

let owner: TestUser
beforeEach(async () => {
  owner = await auth.signedInUser()
  await auth.proveRecent(root)
})

async function codeOf(user = owner): Promise<string> {
  return (await done(call('createSupportCode', {}, user.key))).code
}

const open = async (code?: string, by = root) => {
  const { registration } = await createTestKey()
  const { userId } = owner
  const body = { userId, reason: 'ticket 7', ...registration, ...(code && { code }) }
  return call('openSupportSession', body, by.key)
}

describe('with the owner’s consent', () => {
  it('a session opens once with the code that the owner made, however it is typed', async () => {
    const code = await codeOf()
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    const asked = await done(call('getAuthSession', undefined, owner.key))
    expect(asked).toMatchObject({ supportConsent: 'code' })
    expect((await open(code.toLowerCase().replace('-', ' '))).status).toBe(200)
    expect(await open(code)).toMatchObject(noConsent)
  })

  it('none opens without one, with that of another account, an older one, or after ten minutes', async () => {
    expect(await open()).toMatchObject(noConsent)
    const older = await codeOf()
    const code = await codeOf()
    expect(await open()).toMatchObject(noConsent)
    expect(await open(older)).toMatchObject(noConsent)
    expect(await open(await codeOf(await auth.signedInUser()))).toMatchObject(noConsent)
    clock.advance('10m')
    expect(await open(code)).toMatchObject(noConsent)
  })

  it('a refusal is the same for every reason', async () => {
    const without = await open('AAAA-AAAA')
    const code = await codeOf()
    const wrong = await open(code === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA')
    const unlikely = await open('no code')
    const bodies = [without, wrong, unlikely].map(({ status, body }) => ({
      status,
      error: { ...body.error, requestId: undefined },
    }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  it('a code is good for five guesses', async () => {
    const code = await codeOf()
    const wrong = code.startsWith('A') ? 'BBBB-BBBB' : 'AAAA-AAAA'
    for (let guess = 0; guess < 5; guess++) expect(await open(wrong)).toMatchObject(noConsent)
    expect(await open(code)).toMatchObject(noConsent)
    expect((await open(await codeOf())).status).toBe(200)
  })

  it('an operator who does not rank above the account uses up neither guesses nor the code', async () => {
    await createRole({ name: 'low', displayName: 'Low', priority: 5, permissions: ['support:act'] })
    const low = await auth.signedInUser({ role: 'low' })
    const code = await codeOf()
    const wrong = code.startsWith('A') ? 'BBBB-BBBB' : 'AAAA-AAAA'
    for (let guess = 0; guess < 5; guess++) {
      expect(await open(wrong, low)).toMatchObject(refused(403, 'ForbiddenError'))
    }
    expect(await open(code, low)).toMatchObject(refused(403, 'ForbiddenError'))
    expect((await open(code)).status).toBe(200)
  })

  it('one of sixteen opens a session with one code', async () => {
    const code = await codeOf()
    const answers = await Promise.all(Array.from({ length: 16 }, () => open(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect((await auth.keysOf(owner.userId)).filter(({ kind }) => kind === 'support').length).toBe(
      answers.filter(({ status }) => status === 200).length,
    )
  })

  it('no session makes a code for another one, and no old sign-in does', async () => {
    const key = await sessionOf(auth, root, { userId: owner.userId, code: await codeOf() })
    expect(await call('createSupportCode', {}, key)).toMatchObject(
      refused(403, 'SupportSessionForbiddenError'),
    )
    clock.advance('1h')
    expect(await call('createSupportCode', {}, owner.key)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
  })

  it('keeps no code in the clear, and forgets it when it has expired', async () => {
    const code = await codeOf()
    const kept = () => db.select().from(supportCodes).where(eq(supportCodes.userId, owner.userId))
    expect(JSON.stringify(await kept())).not.toContain(code)
    clock.advance('10m')
    await auth.sweep()
    expect(await kept()).toEqual([])
  })
})

describe('without the option', () => {
  it('there are no support sessions, and those that were open have ended', async () => {
    const key = await sessionOf(auth, root, { userId: owner.userId, code: await codeOf() })
    const { url = '' } = auth.infrastructure.database ?? {}
    const off = await startTestAuth({ definition: supported({}), env: { DATABASE_URL: url } })
    const { status } = await call('getAuthSession', undefined, key)
    expect(status).toBe(401)
    const admin = await off.signedInUser({ role: 'superadmin' })
    const missing = refused(404, 'NotFoundError')
    const { registration } = await createTestKey()
    const body = { userId: owner.userId, reason: 'ticket 7', ...registration }
    expect(await off.call('openSupportSession', body, admin.key)).toMatchObject(missing)
    expect(await off.call('endSupportSession', { keyId: 'k' }, admin.key)).toMatchObject(missing)
    expect(await off.call('createSupportCode', {}, admin.key)).toMatchObject(missing)
    const asked = await off.call('getAuthSession', undefined, admin.key)
    expect(asked.body).not.toHaveProperty('supportConsent')
    await off.stop()
  })
})

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { profiles } from '../accounts/schema.ts'
import { hasArgon2 } from '../passwords/passwords.ts'
import { socialAccounts } from '../social/accounts/schema.ts'
import { type TestExport, testExports } from './testing/exports.ts'
import { lines, outcomes, startTestImport } from './testing/import.ts'
import { keycloakArgon2, keycloakSha512 } from './testing/keycloak-export.ts'

const { db, run, rowOf, forgetAll, tryPassword, auth } = await startTestImport()
afterAll(() => auth.stop())

describe.each(orFew(testExports, 5))('an export of $from as $container', (given) => {
  it('imports all people, with the password and the account elsewhere', async () => {
    await forgetAll()
    const imported = await run(given)
    expect(imported.filter(({ outcome }) => outcome === 'created').length).toBeGreaterThan(1)

    const ada = await rowOf('ada@example.com')
    expect(await tryPassword('ada@example.com', `${given.password}!`)).toBe(401)
    expect(await tryPassword('ada@example.com', given.password)).toBe(200)
    await expect.poll(async () => (await rowOf('ada@example.com'))?.passwordHash).toMatch(/^svc1\$/)
    expect(await tryPassword('ada@example.com', given.password)).toBe(200)
    expect(ada?.emailVerifiedAt !== null).toBe(given.from !== 'django')
    const [profile] = await db
      .select()
      .from(profiles)
      .where(eq(profiles.userId, ada?.userId ?? ''))
    expect(profile?.displayName).toMatch(/^Ada .*Lovelace/)

    const grace = await rowOf('grace@example.com')
    expect(grace).toMatchObject({ passwordHash: null, emailVerifiedAt: null, status: 'active' })
    const links = await db.select().from(socialAccounts)
    expect(links.map(({ userId, provider }) => ({ userId, provider }))).toEqual(
      given.from === 'django' ? [] : [{ userId: grace?.userId, provider: 'google' }],
    )
    if (given.from !== 'authjs') {
      expect(await rowOf('mallory@example.com')).toMatchObject({ status: 'suspended' })
    }
  })

  it('finds all people there when it is imported again', async () => {
    const again = await run(given)
    const found = again.filter(({ outcome }) => outcome === 'exists')
    expect(found.length).toBeGreaterThan(1)
    expect(again.filter(({ outcome }) => outcome === 'created')).toEqual([])
    // The password has been replaced, and stays.
    expect((await rowOf('ada@example.com'))?.passwordHash).toMatch(/^svc1\$/)
  })
})

describe('what a system says of people', () => {
  const of = (from: string, container: string) =>
    testExports.find((each) => each.from === from && each.container === container) as TestExport

  it('is kept where we have a place for it', async () => {
    await forgetAll()
    await run(of('supabase', 'csv'))
    expect(await rowOf('ada@example.com')).toMatchObject({
      phone: '+12025550142',
      phoneVerifiedAt: auth.clock.now(),
      createdAt: new Date('2024-05-01T10:00:00Z'),
      role: 'user',
    })
    await forgetAll()
    await run(of('keycloak', 'json'))
    expect(await rowOf('ada@example.com')).toMatchObject({ username: 'ada', locale: 'en-GB' })
  })

  it('is said to be left out where we have none', async () => {
    await forgetAll()
    const [, grace] = await run(of('supabase', 'csv'))
    expect(grace).toMatchObject({ outcome: 'created', left: ['discord'] })
    await forgetAll()
    const [, other, root] = await run(of('django', 'csv'))
    expect([other?.left, root?.left]).toEqual([['username'], ['username']])
  })

  it('is no account if it has no way to sign in', async () => {
    await forgetAll()
    expect(outcomes(await run(of('supabase', 'csv'))).slice(3)).toEqual(['deleted', 'not_a_person'])
    expect(outcomes(await run(of('keycloak', 'json'))).slice(3)).toEqual(['not_a_person'])
  })

  it('needs the parameters of a Firebase project, whole, for a password', async () => {
    await forgetAll()
    const { options: _, ...bare } = of('firebase', 'json')
    expect(outcomes(await run(bare))).toEqual(['hash_parameters_missing', 'created', 'created'])
    await expect(run({ ...bare, options: { firebase: 'rounds: 8' } })).rejects.toThrow(
      'hash_config',
    )
  })

  it.each([
    ['argon2', keycloakArgon2],
    ['pbkdf2-sha512', keycloakSha512],
  ])('is a password of Keycloak made with %s', async (algorithm, credential) => {
    if (algorithm === 'argon2' && !hasArgon2) return
    await forgetAll()
    const person = {
      id: '1',
      email: 'ada@example.com',
      emailVerified: true,
      credentials: [credential],
    }
    expect(outcomes(await run({ from: 'keycloak', text: lines(person) }))).toEqual(['created'])
    expect(await tryPassword('ada@example.com', 'password')).toBe(200)
  })

  it('counts as proved where the operator says so', async () => {
    await forgetAll()
    await run({ ...of('django', 'csv'), emailsVerified: true })
    expect((await rowOf('ada@example.com'))?.emailVerifiedAt).toEqual(auth.clock.now())
  })

  it('does not count as proved where the export says that it is not', async () => {
    await forgetAll()
    const text = lines({ email: 'ada@example.com', emailVerified: false })
    expect(outcomes(await run({ from: 'own', text, emailsVerified: true }))).toEqual(['created'])
    expect((await rowOf('ada@example.com'))?.emailVerifiedAt).toBeNull()
  })
})

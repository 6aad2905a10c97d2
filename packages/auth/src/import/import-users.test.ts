import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { profiles, users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { hasArgon2id } from '../passwords/argon2id.ts'
import { socialAccounts } from '../social/schema.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { importExport } from './import-export.ts'
import type { ImportedRow } from './imported-user.ts'
import { importedUserId } from './imported-user-id.ts'
import { keycloakArgon2, keycloakSha512, type TestExport, testExports } from './test-exports.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth
const { database } = auth.infrastructure
if (!database) throw new Error('There is no database.')

async function* inPieces(text: string, size = 7) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

type Run = Partial<TestExport> & { text: string; dryRun?: boolean; emailsVerified?: true }

async function run({ text, container = 'jsonl', from = 'own', dryRun = false, ...given }: Run) {
  const options = { ...given.options, 'emails-verified': given.emailsVerified }
  const order = {
    database,
    clock: auth.clock,
    text: inPieces(text),
    container,
    from,
    dryRun,
    options,
  }
  return Array.fromAsync(importExport(order as Parameters<typeof importExport>[0]))
}

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n')
const outcomes = (rows: ImportedRow[]) => rows.map(({ outcome, reason }) => reason ?? outcome)

async function rowOf(email: string) {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row
}

/** Every export names the same people. */
async function forgetAll() {
  await db.delete(users).where(sql`true`)
}

async function signIn(email: string, password: string) {
  const { registration } = await createTestKey()
  return auth.call('login', { email, password, ...registration })
}

describe.each(testExports)('an export of $from as $container', (given) => {
  it('brings everybody in, with the password and the account elsewhere', async () => {
    await forgetAll()
    const imported = await run(given)
    expect(imported.filter(({ outcome }) => outcome === 'created').length).toBeGreaterThan(1)

    const ada = await rowOf('ada@example.com')
    expect((await signIn('ada@example.com', `${given.password}!`)).status).toBe(401)
    expect((await signIn('ada@example.com', given.password)).status).toBe(200)
    await expect.poll(async () => (await rowOf('ada@example.com'))?.passwordHash).toMatch(/^svc1\$/)
    expect((await signIn('ada@example.com', given.password)).status).toBe(200)
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

  it('finds everybody there when it is imported again', async () => {
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

  it('is no account where nobody could sign in with it', async () => {
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
    if (algorithm === 'argon2' && !hasArgon2id) return
    await forgetAll()
    const person = {
      id: '1',
      email: 'ada@example.com',
      emailVerified: true,
      credentials: [credential],
    }
    expect(outcomes(await run({ from: 'keycloak', text: lines(person) }))).toEqual(['created'])
    expect((await signIn('ada@example.com', 'password')).status).toBe(200)
  })

  it('counts as proved where whoever imports says so', async () => {
    await forgetAll()
    await run({ ...of('django', 'csv'), emailsVerified: true })
    expect((await rowOf('ada@example.com'))?.emailVerifiedAt).toEqual(auth.clock.now())
  })
})

describe('a row', () => {
  it('is refused with its line and the reason, and the others come in', async () => {
    await forgetAll()
    const imported = await run({
      text: `${lines({ email: 'no address' }, { email: 'ada@example.com' })}
{"email":
${lines(
  { email: 'bob@example.com', phone: '020 555' },
  { username: 'nobody' },
  { email: 'carol@example.com', role: 'emperor' },
  { email: 'dave@example.com', passwordHash: 'hunter2' },
  {
    email: 'erin@example.com',
    passwordHash: '$scrypt$ln=30,r=8,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAA',
  },
)}`,
    })
    expect(
      imported.map(({ line, outcome, reason }) => ({ line, told: reason ?? outcome })),
    ).toEqual([
      { line: 1, told: 'email_invalid' },
      { line: 2, told: 'created' },
      { line: 3, told: 'unreadable' },
      { line: 4, told: 'phone_invalid' },
      { line: 5, told: 'no_way_in' },
      { line: 6, told: 'role_unknown' },
      { line: 7, told: 'hash_unknown' },
      { line: 8, told: 'hash_too_costly' },
    ])
    expect(await db.$count(users)).toBe(1)
  })

  it('touches nobody who is there, whatever it says of them', async () => {
    await forgetAll()
    const { userId, email, password } = await auth.createUser()
    const before = await rowOf(email)
    const imported = await run({
      text: lines({
        email: email.toUpperCase(),
        passwordHash: '$2b$05$zg636yHxGQYglo/5KJS11OmbExETEcLqHBZfaQ7bOr4ZfCHFmfqeW',
        role: 'superadmin',
        google: 'evil',
      }),
    })
    expect(imported).toMatchObject([{ outcome: 'exists', userId }])
    expect(await rowOf(email)).toEqual(before)
    expect(await db.$count(socialAccounts)).toBe(0)
    expect((await signIn(email, password)).status).toBe(200)
  })

  it('is told what it collides with', async () => {
    await forgetAll()
    const imported = await run({
      text: lines(
        { id: '1', email: 'ada@example.com', phone: '+12025550142', username: 'ada', google: 'g1' },
        { id: '1', email: 'another@example.com' },
        { id: '2', email: 'bob@example.com', phone: '+1 202 555 0142' },
        { id: '3', email: 'carol@example.com', google: 'g1' },
        { id: '4', email: 'dave@example.com', username: 'ADA' },
        { id: '5', google: 'g1' },
        { id: '1', email: 'ada@example.com' },
      ),
    })
    expect(outcomes(imported)).toEqual([
      'created',
      'id_taken',
      'phone_taken',
      'account_taken',
      'created',
      'exists',
      'exists',
    ])
    expect(imported[4]?.left).toEqual(['username'])
  })

  it('leaves a line in the trail, and no word goes out', async () => {
    await forgetAll()
    await db.delete(auditEvents)
    const [imported] = await run({
      text: lines({ id: 'a-7', email: 'ada@example.com', role: 'admin' }),
    })
    expect(imported?.userId).toBe(importedUserId('own', 'a-7'))
    const trail = await db.select().from(auditEvents)
    expect(trail).toMatchObject([
      {
        act: 'user.imported',
        target: imported?.userId,
        details: { source: 'own', externalId: 'a-7', role: 'admin' },
      },
    ])
    expect(await auth.messagesTo('ada@example.com')).toEqual([])
  })
})

describe('a dry run', () => {
  it('says of each row what would become of it, across all of a file, and changes nothing', async () => {
    await forgetAll()
    await db.delete(auditEvents)
    const people = Array.from({ length: 55 }, (_, index) => ({
      id: `${index}`,
      email: `person${index}@example.com`,
      google: `g${index}`,
    }))
    const text = lines(
      ...people,
      { id: '7', email: 'person7@example.com' },
      { id: '200', email: 'person200@example.com', google: 'g3' },
      { id: '8', email: 'another@example.com' },
      { email: 'none' },
    )
    const rehearsed = await run({ text, dryRun: true })
    const tables = [users, profiles, socialAccounts, auditEvents]
    for (const table of tables) expect(await db.$count(table)).toBe(0)
    expect(outcomes(rehearsed).slice(54)).toEqual([
      'created',
      'exists',
      'account_taken',
      'id_taken',
      'email_invalid',
    ])
    expect(await run({ text })).toEqual(rehearsed)
  })
})

describe('two imports at once', () => {
  it('open each account once between them', async () => {
    await forgetAll()
    const people = Array.from({ length: 20 }, (_, index) => ({
      email: `person${index}@example.com`,
      google: `g${index}`,
    }))
    const both = await Promise.all([
      run({ text: lines(...people) }),
      run({ text: lines(...people) }),
    ])
    const created = both.flat().filter(({ outcome }) => outcome === 'created')
    expect(created.length).toBe(20)
    expect(both.flat().every(({ outcome }) => outcome !== 'refused')).toBe(true)
    const emails = people.map(({ email }) => email)
    const active = and(inArray(users.email, emails), eq(users.status, 'active'))
    expect(await db.$count(users, active)).toBe(20)
  })
})

import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { profiles, users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { socialAccounts } from '../social/accounts/schema.ts'
import { importedUserId } from './find-place.ts'
import { lines, outcomes, startTestImport } from './testing/import.ts'

const { db, run, rowOf, forgetAll, tryPassword, auth } = await startTestImport()
afterAll(() => auth.stop())

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

  it('does not change an account that is there already', async () => {
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
    expect(await tryPassword(email, password)).toBe(200)
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
    const people = Array.from({ length: 27 }, (_, index) => ({
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
    expect(outcomes(rehearsed).slice(26)).toEqual([
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

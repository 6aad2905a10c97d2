import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { invitations } from '../invitations/schema.ts'
import { stepsOf, testRoles } from '../invitations/testing/invitations.ts'
import { attempts } from '../limits/schema.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { peopleContract } from './contract.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' }, options: testRoles })
afterAll(auth.stop)
const { db } = auth.auth
const { admin } = await operatorsOf(auth)
const { invite, lookUp } = stepsOf(auth)
const newEmail = () => `${randomUUID()}@example.org`
const inviteAll = (body: object, by = admin) => auth.call('inviteUsers', body, by.key)

describe('inviteUsers', () => {
  it('says of each row what became of it, and one that is refused stops no other', async () => {
    const member = await auth.createUser()
    const { email: invited } = await invite(admin.key)
    const [first, last] = [newEmail(), newEmail()]
    const rows = [
      { email: first, role: 'clerk' },
      { email: member.email },
      { email: invited },
      { email: 'no address' },
      { email: newEmail(), role: 'superadmin' },
      { email: newEmail(), role: 'no such role' },
      { email: newEmail(), role: 'auditor' },
      { email: first.toUpperCase() },
      { email: last },
    ]
    const ask = async () => {
      const { invitedCount, report } = await done(inviteAll({ rows }))
      expect(invitedCount).toBe(2)
      expect(report).toEqual(
        [
          'invited',
          'member',
          'already_invited',
          'invalid_address',
          'role_not_allowed',
          'role_not_allowed',
          'role_not_allowed',
          'already_invited',
          'invited',
        ].map((result, at) => ({ row: at + 1, email: rows[at]?.email, result })),
      )
    }
    const token = await auth.linkSentBy(ask, last, 'invitation')
    expect(await lookUp(token)).toMatchObject({ body: { email: last, role: 'user' } })
    const [row] = await db.select().from(invitations).where(eq(invitations.email, first))
    expect(row).toMatchObject({ role: 'clerk', invitedBy: admin.userId, state: 'pending' })
  })

  it('reads CSV as spreadsheets write it', async () => {
    const [first, second] = [newEmail(), newEmail()]
    const csv = `\uFEFFname,email,role\r\n"Ada, L",${first},clerk\r\nBob,${second},\r\nno cells\r\n,,\r\n`
    const { report } = await done(inviteAll({ csv }))
    expect(report).toEqual([
      { row: 1, email: first, result: 'invited' },
      { row: 2, email: second, result: 'invited' },
      { row: 3, result: 'unreadable' },
      { row: 4, email: '', result: 'invalid_address' },
    ])
  })

  it('takes at most 500 rows at once, and five lists in an hour', async () => {
    await db.delete(attempts)
    const line = 'no address\n'
    const rows = Array.from({ length: 501 }, () => ({ email: 'no address' }))
    expect(await inviteAll({ rows })).toMatchObject(refused(400, 'ValidationError'))
    expect(await inviteAll({ csv: `email\n${line.repeat(501)}` })).toMatchObject(
      refused(400, 'ValidationError'),
    )
    expect(await inviteAll({ csv: 'email\na', rows: [{ email: 'a' }] })).toMatchObject(
      refused(400, 'ValidationError'),
    )
    const whole = await done(inviteAll({ csv: `email\n${line.repeat(500)}` }))
    expect(whole.report).toHaveLength(500)
    for (let count = 0; count < 4; count++) await done(inviteAll({ rows: [] }))
    expect(await inviteAll({ rows: [] })).toMatchObject(refused(429, 'TooManyRequestsError'))
  })
})

it('is open to those alone whom the access table names', async () => {
  await db.delete(attempts)
  const closed = { stranger: 401, suspended: 403, user: 403 }
  const owners = { stranger: 401, suspended: 403 }
  const {
    stopFactorRemoval: _,
    keepFactor: _kept,
    pendingFactorRemoval: _read,
    ...operations
  } = peopleContract.operations
  expect(await auth.answersToCallers(peopleContract)).toEqual({
    ...Object.fromEntries(Object.keys(operations).map((name) => [name, closed])),
    pendingFactorRemoval: owners,
    keepFactor: owners,
  })
})

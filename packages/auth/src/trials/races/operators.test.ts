import { randomUUID } from 'node:crypto'
import { defineRouter, route, t } from '@svc/core'
import { ne, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { closeUser } from '../../people/people.ts'
import { createRole } from '../../roles/roles.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const byApplication = { suspend: suspendUser, close: closeUser }

const auth = await startRace({
  options: {
    support: {},
    roles: [
      // Above the superadmin's, which only the code can declare.
      { name: 'owner', displayName: 'Owner', priority: 500 },
      { name: 'senior', displayName: 'Senior', priority: 60 },
      { name: 'writer', displayName: 'Writer', priority: 40 },
    ],
    rolePermissions: {
      senior: ['auth:self:manage'],
      writer: ['user:read', 'user:write', 'user:delete', 'support:act'],
    },
  },
  router: defineRouter({
    act: route
      .post('/act')
      .skip(['auth'])
      .input({
        body: t.Object({
          what: t.Union([t.Literal('suspend'), t.Literal('close')]),
          userId: t.String(),
        }),
      })
      .handler(async (c) => {
        const { what, userId } = (await c.data()).body
        await byApplication[what](userId)
      }),
  }),
})
const { operation, race, raceBehind } = auth
type Contestant = ReturnType<typeof operation>
const { db } = auth.auth
afterAll(() => auth.stop())

const statusesOf = (answers: readonly { status: number }[]) =>
  new Set(answers.map(({ status }) => status))

const ofRound = <One>(all: readonly One[], number: number) => all[number % all.length] as One

const remove = (by: TestUser, { userId }: { userId: string }, role: string) =>
  operation('removeUserRole', undefined, by.key, { params: { userId, role } })

describe('superadmins of whom each takes the power of all', () => {
  const application =
    (what: keyof typeof byApplication, { userId }: TestUser) =>
    ({ url }: { url: string }) => ({
      method: 'POST',
      url: `${url}/act`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ what, userId }),
    })
  const set = (by: TestUser, { userId }: TestUser) =>
    operation('updateUserRole', { role: 'owner' }, by.key, { params: { userId } })
  /** Of the four, each gets one of each list. */
  const acts: ((by: TestUser, of: TestUser) => Contestant)[][] = [
    [
      (own) => remove(own, own, 'superadmin'),
      ({ key, password }) => operation('requestAccountDeletion', { password }, key),
      (own) => set(own, own),
    ],
    [
      (by, of) => remove(by, of, 'superadmin'),
      (by, { userId }) => operation('suspendUser', {}, by.key, { params: { userId } }),
      set,
      (by, { userId }) => operation('closeUser', {}, by.key, { params: { userId } }),
    ],
    [(_, of) => application('suspend', of)],
    [(_, of) => application('close', of)],
  ]
  const countHolders = async () => {
    const { rows } = await db.execute(sql`
      select from svc_auth.users u where u.status = 'active' and (u.role = 'superadmin' or exists (
        select from svc_auth.account_roles a where a.user_id = u.user_id and a.role = 'superadmin'))`)
    return rows.length
  }

  it('R28: leave one: its role is removed or replaced, it is suspended, closed or deleted', () =>
    eachRound(async (round) => {
      // Those of the round before.
      await db.update(users).set({ role: 'user' }).where(ne(users.role, 'user'))
      const four = await Promise.all(
        [['superadmin', 'user'] as const, ['owner', 'superadmin'] as const].flatMap(
          ([role, other]) => times(2, () => auth.signedInUser({ role, otherRoles: [other] })),
        ),
      )
      const answers = await race(
        four.flatMap((by, index) =>
          four.map((of, other) => {
            const list = ofRound(acts, four.length + other - index)
            return ofRound(list, round + other)(by, of)
          }),
        ),
      )
      // Of two who are left, each would have been refused by nothing.
      expect(await countHolders()).toBe(1)
      for (const { status } of answers) expect([200, 204, 401, 403, 409]).toContain(status)
    }))
})

describe('an operator who is behind', () => {
  type Act = (by: TestUser, userId: string, key: TestKey) => Contestant
  const reason = 'ticket 7'

  it('the end of the role that permits it does nothing, even if another role gives the rank', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const on =
      (name: Parameters<typeof operation>[0], body: object): Act =>
      ({ key }, userId) =>
        operation(name, body, key, { params: { userId } })
    const acts: Act[] = [
      on('suspendUser', {}),
      on('signUserOut', {}),
      on('requireNewPassword', {}),
      on('updateUser', { displayName: 'Ada' }),
      on('closeUser', {}),
      on('exportUser', {}),
      ({ key }) => operation('createUser', { email: `${randomUUID()}@example.com` }, key),
      ({ key }, userId, { registration }) =>
        operation('openSupportSession', { userId, reason, ...registration }, key),
    ]
    await eachRound(async () => {
      const operator = await auth.signedInUser({ role: 'senior', otherRoles: ['writer'] })
      const contestants = await Promise.all(
        times(clients - 1, async (index) => {
          const { userId } = await auth.createUser()
          return ofRound(acts, index)(operator, userId, await createTestKey())
        }),
      )
      const taking = remove(root, operator, 'writer')
      const [taken, ...answers] = await raceBehind([operator.userId], [taking, ...contestants])
      expect(taken?.status).toBe(200)
      expect(statusesOf(answers)).toEqual(new Set([403]))
    })
  })

  it.each([
    ['the end of their key', 401],
    ['the end of their role', 403],
  ])('%s changes no role, and nobody’s roles', async (what, status) => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    await eachRound(async () => {
      const own = await auth.signedInUser({ role: 'superadmin' })
      const other = await auth.signIn(own)
      const [user, held] = [await auth.createUser(), await auth.createUser({ role: 'admin' })]
      const name = `role-${randomUUID()}`
      const { roleId } = await createRole({ name, displayName: 'X' })
      const acts = [
        operation('addUserRole', { role: name }, own.key, { params: { userId: user.userId } }),
        operation('updateUserRole', { role: name }, own.key, { params: { userId: user.userId } }),
        remove(own, held, 'admin'),
        operation('createAdminRole', { name: `${name}-new`, displayName: 'X' }, own.key),
        operation('updateAdminRole', { displayName: 'Y' }, own.key, { params: { roleId } }),
        operation('deleteAdminRole', undefined, own.key, { params: { roleId } }),
        operation('deleteInvitation', { invitationId: randomUUID() }, own.key),
      ]
      const end =
        what === 'the end of their key'
          ? operation('revokeKey', { keyId: own.key.keyId }, other)
          : operation('updateUserRole', { role: 'user' }, root.key, {
              params: { userId: own.userId },
            })
      const [ended, ...answers] = await raceBehind([own.userId], [end, ...acts])
      expect(ended?.status).toBe(200)
      expect(statusesOf(answers)).toEqual(new Set([status]))
    })
  })
})

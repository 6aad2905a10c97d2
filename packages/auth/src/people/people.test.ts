import { randomUUID } from 'node:crypto'
import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { UserNotFoundError } from '../accounts/errors.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { LastSuperadminError } from '../roles/errors.ts'
import * as server from '../server.ts'
import { done } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import type { peopleContract } from './contract.ts'
import { operatorsOf, provedLongAgo } from './testing/people.ts'
import type { UserDetails } from './user-details.ts'

const invite = route
  .post('/invite')
  .handler((c) => server.inviteUsers(c, { rows: [{ email: 'not an address' }] }))
const auth = await startTestAuth({ router: defineRouter({ invite }) })
afterAll(auth.stop)
const { root, admin, list, read, does, set, trailOf } = await operatorsOf(auth)
const reason = 'A letter'
const newEmail = () => `${randomUUID()}@example.org`

interface Row {
  /** Makes the account ready, and answers what the operation and the function are given beside its id. */
  given: (user: TestUser) => object | Promise<object>
  run: (userId: string, given: object) => Promise<unknown>
  /** What the function answers where the operation answers this. */
  told: (body: unknown) => unknown
}

/** The types of a function are held by this: it takes what the operation takes. */
const row = <Given extends object>(
  given: (user: TestUser) => Given | Promise<Given>,
  run: (userId: string, given: Given) => Promise<unknown>,
  told: Row['told'] = (body) => body,
): Row => ({ given, run: (userId, each) => run(userId, each as Given), told })

type Operations = keyof typeof peopleContract.operations
type OfNoOne =
  | 'listUsers'
  | 'createUser'
  | 'inviteUsers'
  | 'stopFactorRemoval'
  | 'pendingFactorRemoval'
  | 'keepFactor'
type Reading = 'readUser' | 'exportUser'

/** Each operation that changes an account, with the function of its name. One that is new has to be here. */
const rows: Record<Exclude<Operations, OfNoOne | Reading>, Row> = {
  suspendUser: row(() => ({ reason }), server.suspendUser),
  reactivateUser: row(async ({ userId }) => {
    await server.suspendUser(userId)
    return { reason }
  }, server.reactivateUser),
  signUserOut: row(
    () => ({ reason }),
    server.signUserOut,
    (body) => (body as { revokedCount: number }).revokedCount,
  ),
  requireNewPassword: row(() => ({ reason }), server.requireNewPassword),
  updateUser: row(
    () => ({ displayName: 'Ada', locale: 'ko', email: newEmail(), reason }),
    server.updateUser,
    // The operation answers the account as it is then.
    () => undefined,
  ),
  closeUser: row(() => ({ reason }), server.closeUser),
  restoreUser: row(async ({ userId }) => {
    await server.closeUser(userId)
    return { reason }
  }, server.restoreUser),
  removeUserFactor: row(async (user) => {
    await provedLongAgo(auth, user)
    const { passkeyId } = await passkeysOf(auth).enrol(user)
    return { passkeyId, reason }
  }, server.removeUserFactor),
  resendUserMail: row(() => ({ mail: 'password_reset' as const, reason }), server.resendUserMail),
}
const names = Object.keys(rows) as (keyof typeof rows)[]

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g

/** The same for two accounts of which the same is so: each has ids, an address and keys of its own. */
function alike(value: unknown) {
  const text = JSON.stringify(value) ?? 'null'
  return JSON.parse(
    text.replaceAll(uuid, 'id').replaceAll(/"fingerprintPrefix":"[^"]*"/g, '"fingerprint":0'),
  )
}

/** Without who did it: of an application's own code there is none, as the lines of the trail tell. */
async function found(userId: string) {
  const { createdBy: _, suspension, ...user } = (await server.findUser(userId)) as UserDetails
  return alike({ ...user, ...(suspension && { suspension: { ...suspension, by: undefined } }) })
}

/** What the trail has of an account from that line on. */
async function linesOf(userId: string, from = 0) {
  const lines = (await trailOf(userId)).slice(from)
  return lines.map(({ act, outcome, actor, keyId, details }) => ({
    written: alike({ act, outcome, details }),
    by: { actor, keyId },
  }))
}

describe('a function of `@svc/auth/server` about an account', () => {
  it.each(names)(
    '%s does what the operation does, and the trail has the same without an actor',
    async (name) => {
      const { given, run, told } = rows[name]
      const [byOperator, byCode] = [await auth.signedInUser(), await auth.signedInUser()]
      const [one, other] = [await given(byOperator), await given(byCode)]
      const from = (await trailOf(byOperator.userId)).length
      const answer = await does(name)(byOperator.userId, one)
      expect(answer.status).toBeLessThan(300)
      expect(alike(await run(byCode.userId, other))).toEqual(alike(told(answer.body)))
      await vi.waitFor(async () => {
        expect(await found(byCode.userId)).toEqual(await found(byOperator.userId))
      })
      const [lines, ofCode] = [
        await linesOf(byOperator.userId, from),
        await linesOf(byCode.userId, from),
      ]
      expect(lines.length).toBeGreaterThan(0)
      expect(ofCode.map(({ written }) => written)).toEqual(lines.map(({ written }) => written))
      const system = { actor: null, keyId: null }
      for (const { by } of ofCode) expect(by).toEqual(system)
      for (const { by } of lines) expect(by).not.toEqual(system)
      expect(JSON.stringify(ofCode)).toContain(reason)
    },
  )

  it.each(names)('%s refuses an account that is unknown, or gone', async (name) => {
    const { given, run } = rows[name]
    const user = await auth.signedInUser()
    const each = await given(user)
    await set(user.userId, { status: 'deleted' })
    for (const userId of [user.userId, randomUUID(), 'nobody']) {
      await expect(run(userId, each)).rejects.toThrow(UserNotFoundError)
    }
  })

  it.each([
    ['suspendUser', server.suspendUser],
    ['closeUser', server.closeUser],
  ] as const)('%s refuses the last superadmin, who stays as they are', async (_name, run) => {
    const before = await linesOf(root.userId)
    await expect(run(root.userId)).rejects.toThrow(LastSuperadminError)
    expect(await server.findUser(root.userId)).toMatchObject({ status: 'active' })
    expect(await linesOf(root.userId)).toEqual(before)
  })

  it('asks for no rank: it acts on a superadmin too', async () => {
    await server.updateUser(root.userId, { displayName: 'Root' })
    expect(await server.findUser(root.userId)).toMatchObject({ displayName: 'Root' })
  })
})

describe('the other functions of `@svc/auth/server` about accounts', () => {
  it('createUser opens one as the operation does', async () => {
    const user = () => ({ email: newEmail(), displayName: 'Ada', role: 'user', reason })
    const byOperator = await done(auth.call('createUser', user(), admin.key))
    const byCode = await server.createUser(user())
    expect(alike(byCode)).toEqual(alike(byOperator))
    await vi.waitFor(async () =>
      expect(await found(byCode.userId)).toEqual(await found(byOperator.userId)),
    )
    const [[line], [ofCode]] = [await linesOf(byOperator.userId), await linesOf(byCode.userId)]
    expect(ofCode).toEqual({ ...line, by: { actor: null, keyId: null } })
    expect(line?.by).toEqual({ actor: admin.userId, keyId: admin.key.keyId })
  })

  it('listUsers, findUser and exportUserData show what the operations show', async () => {
    const { userId, email } = await auth.createUser()
    const { users } = await server.listUsers({ email })
    expect(users).toEqual((await list({ email })).body.users)
    expect(users).toMatchObject([{ userId }])
    expect(await server.findUser(userId)).toEqual((await read(userId)).body)
    const exported = await done(does('exportUser')(userId))
    expect(JSON.parse(JSON.stringify(await server.exportUserData(userId)))).toEqual(exported)
  })

  it('inviteUsers reports as the operation does, in the name of the user of the request', async () => {
    const rowsGiven = { rows: [{ email: 'not an address' }] }
    const report = await done(auth.call('inviteUsers', rowsGiven, admin.key))
    const ask = (key = admin.key) => auth.signedFetch(key)('/invite', { method: 'POST' })
    expect(await (await ask()).json()).toEqual(report)
    expect((await ask((await auth.signedInUser()).key)).status).toBe(403)
  })
})

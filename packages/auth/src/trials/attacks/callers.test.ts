import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { authContract } from '../../auth-contract.ts'
import { startTestAuth, type TestUser } from '../../testing.ts'

const auth = await startTestAuth({
  options: {
    authorizationServer: { scopes: { board: 'Read the board' }, deviceGrant: true },
    support: { consent: 'code' },
  },
})
afterAll(() => auth.stop())

type Name = keyof typeof authContract
const nobody = crypto.randomUUID()

/** Every operation that is not for everybody, with who may call it. */
const guarded = (Object.keys(authContract) as Name[]).flatMap((name) => {
  const { access } = authContract[name]
  return ['public', 'setup', 'optional'].includes(access) ? [] : [{ name, access }]
})

/** With an empty body: whoever may not call it is told so before anything is read. */
async function ask(name: Name, key?: TestUser['key']) {
  const { status, body } = await auth.call(name, undefined, key, {
    params: {
      roleId: nobody,
      userId: nobody,
      grantId: nobody,
      streamId: nobody,
      jobId: nobody,
      approvalId: nobody,
      role: 'user',
    },
  })
  return [name, status, body?.error.code]
}

async function signedInAs(status: 'suspended' | 'pending_deletion' | 'deleted') {
  const user = await auth.signedInUser({ role: 'superadmin' })
  // As if a key had outlived what ends all of them.
  await auth.auth.db.update(users).set({ status }).where(eq(users.userId, user.userId))
  return user
}

describe('an operation that is not for every caller is not', () => {
  const refusedTo = (code: string, status: number) =>
    guarded.map(({ name }) => [name, status, code])

  it('for a stranger', async () => {
    const answers = await Promise.all(guarded.map(({ name }) => ask(name)))
    expect(answers).toEqual(refusedTo('UnauthorizedError', 401))
  })

  it.each([
    ['suspended', 'AccountDisabledError', 403],
    ['pending_deletion', 'AccountPendingDeletionError', 403],
  ] as const)('for an account that is %s', async (status, code, refusal) => {
    const { key } = await signedInAs(status)
    const answers = await Promise.all(guarded.map(({ name }) => ask(name, key)))
    expect(answers).toEqual(refusedTo(code, refusal))
  })

  it('for a key whose account is gone', async () => {
    const { key } = await signedInAs('deleted')
    const answers = await Promise.all(guarded.map(({ name }) => ask(name, key)))
    for (const [name, status] of answers)
      expect([name, [401, 403].includes(Number(status))]).toEqual([name, true])
  })

  it('for a user without the permission or the role that it asks for', async () => {
    const { key } = await auth.signedInUser()
    const ruled = guarded.filter(({ access }) => /superadmin|\bmay /.test(access))
    const answers = await Promise.all(ruled.map(({ name }) => ask(name, key)))
    expect(answers).toEqual(ruled.map(({ name }) => [name, 403, 'ForbiddenError']))
    expect(ruled.length).toBeGreaterThan(8)
  })
})

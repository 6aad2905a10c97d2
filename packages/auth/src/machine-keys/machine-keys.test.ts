import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { defineRouter, type Middleware, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { authContract } from '../auth-contract.ts'
import { requirePerson } from '../caller/caller.ts'
import { createDeviceKey } from '../device-key-file/device-key-file.ts'
import { deviceRegisteredEvent } from '../events.ts'
import { requireStepUp } from '../fresh-proof/fresh-proof.ts'
import { enrolledUser, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { createRevokeAllLink } from '../revoke-all/revoke-all.ts'
import {
  createRole,
  requirePermissions,
  requireRole,
  roleGuard,
  setRolePermissions,
} from '../roles/roles.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { programsOf } from './testing/guide.ts'
import { machineOf } from './testing/machines.ts'

const guards: Record<string, Middleware[]> = {
  open: [],
  read: [requirePermissions('user:read')],
  audit: [requirePermissions('audit:read')],
  role: [requireRole('admin')],
  denied: [roleGuard({ deny: ['user'] })],
  stepUp: [requireStepUp],
  person: [requirePerson],
}
const auth = await startTestAuth({
  env: withKeyring(),
  options: {
    authorizationServer: { scopes: { board: 'Read the board' }, deviceGrant: true },
    support: {},
  },
  router: defineRouter(
    Object.fromEntries(
      Object.entries(guards).map(([name, guard]) => [
        name,
        route
          .get(`/${name}`)
          .use(guard)
          .handler(() => 'in'),
      ]),
    ),
  ),
})
afterAll(() => auth.stop())
const { call, clock } = auth
const day = 86_400_000
const forbidden = refused(403, 'ForbiddenError')
const taken = refused(409, 'KeyIdAlreadyRegisteredError')

const create = (body: object, key: TestKey) => call('createMachineKey', body, key)
const sessionOf = (key: TestKey) => call('getAuthSession', undefined, key)
const machine = (user: TestUser, choice?: Parameters<typeof machineOf>[2]) =>
  machineOf(auth, user, choice)

/** The routes of the application that a key gets into. */
async function entered(key: TestKey) {
  const statuses = await Promise.all(
    Object.keys(guards).map(async (name) => {
      const request = { method: 'GET', url: `${auth.url}/${name}`, body: '' }
      const { status } = await fetch(request.url, { headers: await auth.signerOf(key)(request) })
      return [name, status] as const
    }),
  )
  for (const [, status] of statuses) expect([200, 403]).toContain(status)
  return statuses.filter(([, status]) => status === 200).map(([name]) => name)
}

describe('createMachineKey', () => {
  it('registers the key of a program, for 90 days unless it says otherwise', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const told: object[] = []
    const end = deviceRegisteredEvent.subscribe((event) => void told.push(event))
    const { keyId, registration } = await createTestKey()
    const permissions = ['user:read', 'audit:read', 'user:read']
    const body = { ...registration, deviceName: 'CI', permissions }
    let answer: unknown
    const message = await auth.sentBy(
      async () => (answer = await create(body, user.key)),
      user.email,
      'machine-key-added',
    )
    end()

    const item = {
      keyId,
      kind: 'machine',
      permissions: ['audit:read', 'user:read'],
      deviceName: 'CI',
      algorithm: 'ES256',
      fingerprintPrefix: registration.fingerprint.slice(0, 8),
      createdAtMillis: clock.now().getTime(),
      expiresAtMillis: clock.now().getTime() + 90 * day,
      isExpired: false,
      isActive: true,
      registeredIp: '127.0.0.1',
      registeredUserAgent: 'node',
    }
    expect(answer).toMatchObject({ status: 200, body: item })
    expect((answer as { body: object }).body).toEqual(item)
    const { keys } = await done(call('listKeys', {}, user.key))
    expect(keys).toContainEqual(item)
    const own = keys.find((each: { keyId: string }) => each.keyId === user.key.keyId)
    expect(own).not.toHaveProperty('kind')
    expect(own).not.toHaveProperty('permissions')
    expect(told).toMatchObject([{ userId: user.userId, keyId, channel: 'createMachineKey' }])
    expect(message.text).toContain(registration.fingerprint.slice(0, 8))
    const query = { act: 'key.machine.created', actor: user.userId }
    const { data } = await done(call('listAuditEvents', undefined, user.key, { query }))
    expect(data).toMatchObject([
      { target: keyId, keyId: user.key.keyId, details: { permissions: item.permissions } },
    ])
    const exported = await done(call('exportUserData', undefined, user.key))
    expect(exported.devices).toContainEqual(
      expect.objectContaining({ keyId, kind: 'machine', permissions: item.permissions }),
    )
  })

  it('takes permissions that the account holds, none too, and a life of 1 to 365 days', async () => {
    const user = await auth.signedInUser()
    const attempt = async (given: object) => {
      const { registration } = await createTestKey()
      return create({ ...registration, permissions: [], ...given }, user.key)
    }
    for (const name of ['user:read', 'no:such-permission']) {
      const answer = await attempt({ permissions: ['auth:self:manage', name] })
      const fields = [{ path: 'body.permissions', message: expect.any(String) }]
      expect(answer).toMatchObject({ ...refused(400, 'ValidationError'), body: { fields } })
      expect(JSON.stringify(answer.body)).not.toContain(name)
    }
    const many = Array.from({ length: 65 }, () => 'auth:self:manage')
    for (const wrong of [{ permissions: many }, { expiresInDays: 0 }, { expiresInDays: 366 }]) {
      expect(await attempt(wrong)).toMatchObject(refused(400, 'ValidationError'))
    }
    expect(await attempt({ permissions: many.slice(1) })).toMatchObject({
      status: 200,
      body: { permissions: ['auth:self:manage'] },
    })
    const { expiresAtMillis } = await done(attempt({ expiresInDays: 365 }))
    expect(expiresAtMillis).toBe(clock.now().getTime() + 365 * day)
  })

  it('needs a sign-in a moment ago, or the password', async () => {
    const user = await auth.signedInUser()
    clock.advance('10m')
    const { registration } = await createTestKey()
    const attempt = (given: object = {}) =>
      create({ ...registration, permissions: [], ...given }, user.key)
    const wrong = { currentPassword: 'not the password' }
    expect(await attempt()).toMatchObject(refused(403, 'RecentAuthenticationRequiredError'))
    expect(await attempt(wrong)).toMatchObject(refused(401, 'InvalidCredentialsError'))
    expect(await attempt({ currentPassword: user.password })).toMatchObject({ status: 200 })
  })

  it('asks for a step-up where there is a second factor', async () => {
    const user = await enrolledUser(auth)
    clock.advance('10m')
    const { registration } = await createTestKey()
    const body = { ...registration, permissions: [], currentPassword: user.password }
    expect(await create(body, user.key)).toMatchObject(refused(403, 'StepUpRequiredError'))
    await done(call('mfaStepUp', { code: user.code() }, user.key))
    expect(await create(body, user.key)).toMatchObject({ status: 200 })
  })

  it('takes a fresh key: neither a machine’s again nor one that is a device’s, under another id too', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const there = await machine(user, { expiresInDays: 1 })
    const stranger = await auth.signedInUser()
    const registrations = [
      there.registration,
      user.key.registration,
      { ...user.key.registration, keyId: `key-${randomUUID()}` },
      stranger.key.registration,
    ]
    for (const registration of registrations) {
      const body = { ...registration, permissions: ['user:read'], expiresInDays: 9 }
      expect(await create(body, user.key)).toMatchObject(taken)
    }
    expect((await sessionOf(there)).body.permissions).toEqual([])
    clock.advance('1d')
    const again = { ...there.registration, permissions: [], currentPassword: user.password }
    expect(await create(again, user.key)).toMatchObject(taken)
    expect(await sessionOf(there)).toMatchObject(refused(401, 'KeyExpiredError'))
  })
})

describe('a machine', () => {
  it('gets in where its permissions do, and nowhere by the role of its owner', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    expect(await entered(user.key)).toEqual(Object.keys(guards))
    expect(await entered(await machine(user))).toEqual(['open'])
    const reader = await machine(user, { permissions: ['user:read'] })
    expect(await entered(reader)).toEqual(['open', 'read'])
    expect((await sessionOf(reader)).body.permissions).toEqual(['user:read'])
  })

  it('may do no more than its owner may now', async () => {
    const role = `role-${randomUUID()}`
    await createRole({ name: role, displayName: 'A role', permissions: ['user:read'] })
    const user = await auth.signedInUser({ role })
    const reader = await machine(user, { permissions: ['user:read'] })
    await setRolePermissions(role, ['audit:read'])
    expect(await entered(reader)).toEqual(['open'])
    await setRolePermissions(role, ['audit:read', 'user:read'])
    expect(await entered(reader)).toEqual(['open', 'read'])
  })

  it('may call these operations of the service, and those that ask for a permission that it has', async () => {
    const user = await auth.signedInUser({ role: 'superadmin' })
    const { body } = await sessionOf(user.key)
    const mighty = await machine(user, { permissions: body.permissions })
    const none = await machine(user)
    const names = Object.keys(authContract) as (keyof typeof authContract)[]
    const closed = names.filter((name) =>
      ['optional', 'bearer', 'step-up', 'superadmin'].includes(authContract[name].access),
    )
    const gated = names.filter((name) => authContract[name].access.startsWith('may '))
    const ids = Object.fromEntries(
      ['roleId', 'userId', 'grantId', 'jobId', 'approvalId'].map((name) => [name, randomUUID()]),
    )
    const params = { ...ids, role: 'user' }
    const ask = async (name: keyof typeof authContract, key: TestKey) => {
      const { status, body: said } = await call(name, undefined, key, { params })
      // Some say it in the words of their protocol, with another status.
      const isRefused = JSON.stringify(said ?? null).includes('Programs may not do this.')
      return [name, isRefused ? 'no program' : status]
    }
    const all = (list: typeof names, key: TestKey) =>
      Promise.all(list.map((name) => ask(name, key)))
    expect(await all(closed, mighty)).toEqual(closed.map((name) => [name, 'no program']))
    expect(await all(gated, none)).toEqual(gated.map((name) => [name, 403]))
    const open = names.filter((name) => authContract[name].access === 'any-key')
    expect(open).toEqual(['logout', 'getAuthSession', 'rotateKey', 'issueOneTimeToken'])
    const opened = [...(await all(gated, mighty)), ...(await all(open, none))]
    for (const [name, status] of opened) expect([name, status]).toEqual([name, expect.any(Number)])
    expect(opened.filter(([, status]) => status === 403)).toEqual([])
  })

  it('invites into no role with power, also if it has that power itself (decisions 16)', async () => {
    const user = await auth.signedInUser({ role: 'superadmin' })
    const email = () => `${randomUUID()}@example.com`
    const invite = (role: string, key: TestKey) =>
      call('createInvitation', { email: email(), role }, key)
    const bare = await machine(user, { permissions: ['user:invite'] })
    const { body } = await sessionOf(user.key)
    const mighty = await machine(user, { permissions: body.permissions })
    expect(await invite('user', bare)).toMatchObject({ status: 201 })
    expect(await invite('admin', bare)).toMatchObject(forbidden)
    expect(await invite('superadmin', mighty)).toMatchObject(forbidden)
    expect(await invite('admin', mighty)).toMatchObject(forbidden)
    expect(await invite('user', mighty)).toMatchObject({ status: 201 })
    const { invitationId } = await done(invite('superadmin', user.key))
    for (const name of ['resendInvitation', 'cancelInvitation'] as const) {
      expect(await call(name, { invitationId }, mighty)).toMatchObject(forbidden)
    }
  })
})

describe('the key of a machine', () => {
  it('ends when it was said to, and at that very moment', async () => {
    const key = await machine(await auth.signedInUser(), { expiresInDays: 1 })
    clock.advance(day - 1)
    expect(await sessionOf(key)).toMatchObject({ status: 200 })
    clock.advance(1)
    expect(await sessionOf(key)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('hands what is left of its life on, with what it may do, when it is rotated', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const key = await machine(user, { permissions: ['user:read'], expiresInDays: 2 })
    const end = clock.now().getTime() + 2 * day
    clock.advance('1d')
    const next = await createTestKey()
    // Asked again by its successor: the answer was lost.
    for (const by of [key, next]) {
      const answer = await call('rotateKey', next.registration, by)
      expect(answer).toMatchObject({ status: 200, body: { expiresAtMillis: end } })
    }
    expect(await entered(next)).toEqual(['open', 'read'])
    expect(await sessionOf(key)).toMatchObject({ status: 401 })
    clock.advance('1d')
    expect(await sessionOf(next)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it.each([
    ['live', '1h'],
    ['over', '1d'],
  ] as const)(
    'that is %s is no device’s by signing in with it, under another id neither',
    async (_, after) => {
      for (const newUser of [auth.signedInUser, () => enrolledUser(auth)]) {
        const user = await newUser()
        const key = await machine(user, { expiresInDays: 1 })
        const before = (await auth.keysOf(user.userId)).find(({ keyId }) => keyId === key.keyId)
        clock.advance(after)
        const { email, password } = user
        for (const keyId of [key.keyId, `key-${randomUUID()}`]) {
          const body = { email, password, ...key.registration, keyId }
          expect(await call('login', body)).toMatchObject(taken)
        }
        const rows = await auth.keysOf(user.userId)
        expect(rows.filter(({ fingerprint }) => fingerprint === before?.fingerprint)).toEqual([
          before,
        ])
      }
    },
  )

  it('ends as any key of the account does', async () => {
    const ends: Record<string, (user: TestUser, key: TestKey) => Promise<unknown>> = {
      logout: (_, key) => call('logout', undefined, key),
      revokeKey: (user, { keyId }) => call('revokeKey', { keyId }, user.key),
      revokeAllKeys: (user) => call('revokeAllKeys', {}, user.key),
      changePassword: (user) =>
        call(
          'changePassword',
          { currentPassword: user.password, newPassword: 'a quite different pass phrase' },
          user.key,
        ),
      suspension: ({ userId }) => suspendUser(userId),
      deletion: async (user) => {
        const verificationToken = await auth.verificationToken(user.email, 'account_deletion')
        await done(call('requestAccountDeletion', { verificationToken }, user.key))
      },
    }
    for (const [name, end] of Object.entries(ends)) {
      const user = await auth.signedInUser()
      const key = await machine(user)
      await end(user, key)
      expect([name, (await sessionOf(key)).status]).toEqual([name, 401])
    }
  })

  it('is counted by the page of a sign-out link', async () => {
    const user = await auth.signedInUser()
    await machine(user)
    const token = new URL((await createRevokeAllLink(user.userId)).url).searchParams.get('token')
    expect((await call('confirmRevokeAllLink', { token })).body.activeKeyCount).toBe(2)
  })
})

describe('docs/guide/machine-keys.md', () => {
  it('works as it is written', async () => {
    const { folder, run, remove } = programsOf('machine-keys.md')
    const { email, password } = await auth.createUser({ role: 'admin' })
    const device = await createDeviceKey({ file: join(folder, 'device-key.json') })
    await done(call('login', { email, password, ...device.registration }))
    const env = { API_URL: auth.url }

    const input = await run('make-key.ts', {})
    const said = await run('register-machine.ts', { input, env })
    expect(said).toBe(`${JSON.parse(input).keyId} may: audit:read\n`)
    expect(await run('nightly-report.ts', { env })).toContain('key.machine.created done')
    remove()
  })
})

import { randomUUID } from 'node:crypto'
import type { StreamGrant } from '@svc/core'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { createRole, getKeyPermissions, setRolePermissions, updateRole } from '../roles/roles.ts'
import { streamingApplication } from '../streams/test-application.ts'
import { askForToken, openStream, streamToken } from '../streams/test-stream.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import { issueLegacyToken } from './legacy-jwt.ts'
import { createStreamCredentials } from './stream-credentials.ts'

const definition = streamingApplication({ getSubject: () => 'tenant-1' })
const env = { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' }
const auth = await startTestAuth({ definition, env })
const credentials = createStreamCredentials(auth.auth)
const standing = (grants: StreamGrant[]) => credentials.standing(grants)
const root = await auth.signedInUser({ role: 'superadmin' })
afterAll(() => auth.stop())

const grantOf = ({ userId, key }: TestUser) => ({ subject: userId, credential: key.keyId })

describe('what a stream’s credential can do', () => {
  it('is asked for many at once, in one statement', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => auth.signedInUser()))
    const unknown = Array.from({ length: 492 }, () => ({ subject: 's', credential: randomUUID() }))
    const pool = auth.infrastructure.database?.pool
    if (!pool) throw new Error('There is a database.')
    const asked = vi.spyOn(pool, 'query')
    const answers = await standing([...unknown, ...users.map(grantOf)])

    const own = asked.mock.calls.filter((call) => JSON.stringify(call).includes('svc_auth_caller'))
    expect(own).toHaveLength(1)
    expect(answers.slice(0, 492)).toEqual(unknown.map(() => null))
    for (const answer of answers.slice(492)) expect(answer).toBe(answers.at(-1))
    expect(answers.at(-1)).toEqual(expect.any(String))
  })

  it('is nothing for a key that is another account’s, or none', async () => {
    const [own, foreign] = [await auth.signedInUser(), await auth.signedInUser()]
    const mixed = { ...grantOf(own), subject: foreign.userId }
    const named = { ...grantOf(own), subject: 'tenant-1', owner: own.userId }
    expect(await standing([mixed, { subject: own.userId }, named])).toEqual([
      null,
      null,
      expect.any(String),
    ])
  })

  it('changes with the role, and with what that grants', async () => {
    const role = `role-${randomUUID()}`
    await createRole({ name: role, displayName: 'A role' })
    const user = await auth.signedInUser()
    const seen = new Set(await standing([grantOf(user)]))
    const params = { userId: user.userId }
    for (const change of [
      () => auth.call('updateUserRole', { role }, root.key, { params }),
      () => setRolePermissions(role, ['user:read']),
      () => updateRole(role, { isActive: false }),
    ]) {
      const before = seen.size
      await change()
      for (const text of await standing([grantOf(user)])) seen.add(text)
      expect(seen.size).toBe(before + 1)
    }
    await updateRole(role, { description: 'Other words.' })
    expect(seen).toContain((await standing([grantOf(user)]))[0])
  })

  it('changes with each of several roles, and with what that grants', async () => {
    const role = `role-${randomUUID()}`
    await createRole({ name: role, displayName: 'A role', priority: 5 })
    const user = await auth.signedInUser()
    const { userId } = user
    const seen = new Set(await standing([grantOf(user)]))
    for (const change of [
      () => auth.call('addUserRole', { role }, root.key, { params: { userId } }),
      () => setRolePermissions(role, ['user:read']),
      () => updateRole(role, { isActive: false }),
    ]) {
      const before = seen.size
      await change()
      for (const text of await standing([grantOf(user)])) seen.add(text)
      expect(seen.size).toBe(before + 1)
    }
    await auth.call('removeUserRole', undefined, root.key, { params: { userId, role } })
    expect([...seen][0]).toBe((await standing([grantOf(user)]))[0])
  })

  it('changes for a machine with what was chosen for it, and with nothing else', async () => {
    const role = `role-${randomUUID()}`
    await createRole({ name: role, displayName: 'A role', permissions: ['user:read'] })
    const user = await auth.signedInUser({ role })
    const grant = grantOf({
      ...user,
      key: await machineOf(auth, user, { permissions: ['user:read'] }),
    })
    const before = await standing([grant])
    await setRolePermissions(role, ['user:read', 'audit:read'])
    expect(await standing([grant])).toEqual(before)
    expect(await getKeyPermissions(grant.credential)).toEqual(['user:read'])
    expect(await getKeyPermissions(user.key.keyId)).toEqual(['audit:read', 'user:read'])
    await setRolePermissions(role, ['audit:read'])
    expect(await standing([grant])).not.toEqual(before)
    await auth.call('revokeKey', { keyId: grant.credential }, user.key)
    expect(await getKeyPermissions(grant.credential)).toEqual([])
  })
})

describe('a stream under a name of the application’s', () => {
  it('ends with the key that asked for it (E-052)', async () => {
    const { key } = await auth.signedInUser()
    const stream = await openStream(auth.url, await streamToken(auth.url, auth.signerOf(key)))
    expect(stream.status).toBe(200)
    await auth.call('logout', undefined, key)
    await stream.ended
  })

  it('is not for a caller without a device key: nothing would end it', async () => {
    const { userId } = await auth.signedInUser()
    const authorization = `Bearer ${await issueLegacyToken(userId)}`
    expect((await askForToken(auth.url, async () => ({ authorization }))).status).toBe(403)
  })
})

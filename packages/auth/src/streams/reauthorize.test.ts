import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { createRole, getKeyPermissions, setRolePermissions, updateRole } from '../roles/roles.ts'
import { startTestAuth } from '../testing.ts'
import { noticeEvent, orderEvent, streamingApplication } from './test-application.ts'
import { openStream, streamToken, type TestStream } from './test-stream.ts'

const neededFor: Record<string, string> = { notice: 'auth:self:manage', order: 'user:read' }

/** What goes on between the question what a key may do and the answer. */
let whileAsked = async () => {}

async function authorize(_subject: string, events: string[], credential = '') {
  const permissions = await getKeyPermissions(credential)
  await whileAsked()
  return events.filter((name) => permissions.includes(neededFor[name] ?? ''))
}

const auth = await startTestAuth({ definition: streamingApplication({ authorize }) })
const root = await auth.signedInUser({ role: 'superadmin' })
afterAll(() => auth.stop())

const opened: TestStream[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

async function openAs(role: string, machine?: { permissions: string[] }) {
  const user = await auth.signedInUser({ role })
  const key = machine ? await machineOf(auth, user, machine) : user.key
  const token = await streamToken(auth.url, auth.signerOf(key))
  const stream = await openStream(auth.url, token, 'notice,order')
  opened.push(stream)
  return { user, stream }
}

async function freshRole(...permissions: string[]) {
  const name = `role-${randomUUID()}`
  const { roleId } = await createRole({ name, displayName: 'A role', permissions })
  return { name, roleId }
}

/** Which of the two it gets, as far as one round of them tells. */
async function received(stream: TestStream) {
  const text = randomUUID()
  await noticeEvent.emit({ text })
  await orderEvent.emit({ text })
  await wait(50)
  return stream.frames().flatMap(({ event, data }) => (data.text === text ? [event] : []))
}

const becomes = (stream: TestStream, names: string[]) =>
  vi.waitFor(async () => expect(await received(stream)).toEqual(names), 5000)

describe('an open stream whose router says who may have what', () => {
  it('is narrowed and widened as the grants of its role change (E-056)', async () => {
    const role = await freshRole('auth:self:manage')
    const { stream } = await openAs(role.name)
    await becomes(stream, ['notice'])
    await setRolePermissions(role.name, ['auth:self:manage', 'user:read'])
    await becomes(stream, ['notice', 'order'])
    const body = { permissions: ['user:read'] }
    const params = { roleId: role.roleId }
    const { status } = await auth.call('updateAdminRole', body, root.key, { params })
    expect(status).toBe(200)
    await becomes(stream, ['order'])
    expect(stream.isOpen()).toBe(true)
  })

  it('is a machine’s as far as was chosen for that, and its owner may', async () => {
    const role = await freshRole('auth:self:manage', 'user:read', 'audit:read')
    const chosen = { permissions: ['audit:read', 'user:read'] }
    const { stream } = await openAs(role.name, chosen)
    await becomes(stream, ['order'])
    await setRolePermissions(role.name, ['auth:self:manage', 'audit:read'])
    await stream.ended
  })

  it('is narrowed and widened as its account gets another role', async () => {
    const { user, stream } = await openAs('user')
    const params = { userId: user.userId }
    for (const [role, names] of [
      ['admin', ['notice', 'order']],
      ['user', ['notice']],
    ] as const) {
      await auth.call('updateUserRole', { role }, root.key, { params })
      await becomes(stream, [...names])
    }
    expect(stream.isOpen()).toBe(true)
  })

  it('is narrowed and widened as its account gets a role beside its own, and that role less', async () => {
    const role = await freshRole('user:read')
    const { user, stream } = await openAs('user')
    const { userId } = user
    await auth.call('addUserRole', { role: role.name }, root.key, { params: { userId } })
    await becomes(stream, ['notice', 'order'])
    await setRolePermissions(role.name, [])
    await becomes(stream, ['notice'])
    await setRolePermissions(role.name, ['user:read'])
    await becomes(stream, ['notice', 'order'])
    await updateRole(role.name, { isActive: false })
    await becomes(stream, ['notice'])
    await updateRole(role.name, { isActive: true })
    await becomes(stream, ['notice', 'order'])
    const params = { userId, role: role.name }
    await auth.call('removeUserRole', undefined, root.key, { params })
    await becomes(stream, ['notice'])
    expect(stream.isOpen()).toBe(true)
  })

  it('gets nothing by a role beside its own that its account loses while it opens', async () => {
    const role = await freshRole('user:read')
    const user = await auth.signedInUser({ otherRoles: [role.name] })
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const token = await streamToken(auth.url, auth.signerOf(user.key))
    whileAsked = () => {
      isAsked()
      return held
    }
    const opening = openStream(auth.url, token, 'notice,order')
    await asked
    whileAsked = async () => {}
    const params = { userId: user.userId, role: role.name }
    await auth.call('removeUserRole', undefined, root.key, { params })
    release()
    const stream = await opening
    opened.push(stream)
    expect(await received(stream)).toEqual(['notice'])
  })

  it('ends when nothing is left of it, and none is opened (E-057)', async () => {
    const role = await freshRole('auth:self:manage')
    const { stream, user } = await openAs(role.name)
    await updateRole(role.name, { isActive: false })
    await stream.ended
    const token = await streamToken(auth.url, auth.signerOf(user.key))
    expect((await openStream(auth.url, token, 'notice,order')).status).toBe(403)
  })
})

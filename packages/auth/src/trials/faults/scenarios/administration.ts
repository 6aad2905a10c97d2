import { randomUUID } from 'node:crypto'
import { keptJob } from '../../../background-jobs/testing/jobs.ts'
import { done } from '../../../test-answers.ts'
import { createTestKey, type TestKey } from '../../../testing.ts'
import { operator, peopleScenarios } from './people.ts'
import { type Scenario, type Stage, scenario } from './stage.ts'

const roleFields = () => ({
  name: `r${randomUUID().slice(0, 8)}`,
  displayName: 'A role',
  permissions: ['user:read'],
})

async function newRole({ call }: Stage, key: TestKey) {
  const { role } = await done(call('createAdminRole', roleFields(), key))
  return { roleId: String(role.roleId) }
}

/** What is done to others. */
export const administrationScenarios = {
  createAdminRole: scenario(
    async (stage) => stage.ask('createAdminRole', roleFields(), await operator(stage)),
    '409 RoleAlreadyExistsError',
  ),
  updateAdminRole: scenario(async (stage) => {
    const key = await operator(stage)
    const params = await newRole(stage, key)
    return stage.ask('updateAdminRole', { permissions: [] }, key, { params })
  }, '200'),
  deleteAdminRole: scenario(async (stage) => {
    const key = await operator(stage)
    const params = await newRole(stage, key)
    return stage.ask('deleteAdminRole', undefined, key, { params })
  }, '404 RoleNotFoundError'),
  updateUserRole: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    const params = { userId }
    return stage.ask('updateUserRole', { role: 'admin' }, await operator(stage), { params })
  }, '200'),
  addUserRole: scenario(async (stage) => {
    const params = { userId: (await stage.createUser()).userId }
    return stage.ask('addUserRole', { role: 'admin' }, await operator(stage), { params })
  }, '200'),
  removeUserRole: scenario(async (stage) => {
    const { userId } = await stage.createUser({ otherRoles: ['admin'] })
    const params = { userId, role: 'admin' }
    return stage.ask('removeUserRole', undefined, await operator(stage), { params })
  }, '200'),
  createSupportCode: scenario(async ({ ask, signedInUser }) => {
    return ask('createSupportCode', {}, (await signedInUser()).key)
  }, '200'),
  openSupportSession: scenario(
    async (stage) => {
      const { userId, key } = await stage.signedInUser()
      const { code } = await done(stage.call('createSupportCode', {}, key))
      const { registration } = await createTestKey()
      const body = { userId, reason: 'ticket 7', code, ...registration }
      return stage.ask('openSupportSession', body, await operator(stage))
    },
    '401 SupportCodeError',
    { spendsFirst: { moved: ['~1 support_codes'], said: '401 SupportCodeError' } },
  ),
  endSupportSession: scenario(async (stage) => {
    const { userId, key: owner } = await stage.signedInUser()
    const { code } = await done(stage.call('createSupportCode', {}, owner))
    const key = await operator(stage)
    const { keyId, registration } = await createTestKey()
    const body = { userId, reason: 'ticket 7', code, ...registration }
    await done(stage.call('openSupportSession', body, key))
    return stage.ask('endSupportSession', { keyId }, key)
  }, '204'),
  retryJob: scenario(async (stage) => {
    const { jobId, job } = await keptJob(stage, 'failed')
    return stage.ask('retryJob', { job }, await operator(stage), { params: { jobId } })
  }, '409 ConflictError'),
  cancelJob: scenario(async (stage) => {
    const { jobId, job } = await keptJob(stage, 'created')
    return stage.ask('cancelJob', { job }, await operator(stage), { params: { jobId } })
  }, '409 ConflictError'),
  ...peopleScenarios,
  createInvitation: scenario(async ({ ask, admin, newAddress }) => {
    return ask('createInvitation', { email: newAddress(), role: 'user' }, admin.key)
  }, '409 InvitationAlreadyExistsError'),
  resendInvitation: scenario(async ({ ask, admin, invitations }) => {
    const { invitationId } = await invitations.invite(admin.key)
    return ask('resendInvitation', { invitationId }, admin.key)
  }, '200'),
  cancelInvitation: scenario(async ({ ask, admin, invitations }) => {
    const { invitationId } = await invitations.invite(admin.key)
    return ask('cancelInvitation', { invitationId }, admin.key)
  }, '409 InvitationClosedError'),
  deleteInvitation: scenario(async (stage) => {
    const key = await operator(stage)
    const { invitationId } = await stage.invitations.invite(key)
    return stage.ask('deleteInvitation', { invitationId }, key)
  }, '404 InvitationNotFoundError'),
  acceptInvitation: scenario(async ({ askWithNewKey, admin, invitations }) => {
    const { token } = await invitations.invite(admin.key)
    return askWithNewKey('acceptInvitation', { token, password: 'correct horse battery staple' })
  }, '404 InvitationNotFoundError'),
} satisfies Record<string, Scenario>

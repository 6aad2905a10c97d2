import { randomUUID } from 'node:crypto'
import { done } from '../../../test-answers.ts'
import { type Scenario, type Stage, scenario } from './stage.ts'

const roleFields = () => ({
  name: `r${randomUUID().slice(0, 8)}`,
  displayName: 'A role',
  permissions: ['user:read'],
})

async function newRole({ call, admin }: Stage) {
  const { role } = await done(call('createAdminRole', roleFields(), admin.key))
  return { roleId: String(role.roleId) }
}

/** What is done to others. */
export const administrationScenarios = {
  createAdminRole: scenario(
    async ({ ask, admin }) => ask('createAdminRole', roleFields(), admin.key),
    '409 RoleAlreadyExistsError',
  ),
  updateAdminRole: scenario(async (stage) => {
    const params = await newRole(stage)
    return stage.ask('updateAdminRole', { permissions: [] }, stage.admin.key, { params })
  }, '200'),
  deleteAdminRole: scenario(async (stage) => {
    const params = await newRole(stage)
    return stage.ask('deleteAdminRole', undefined, stage.admin.key, { params })
  }, '404 RoleNotFoundError'),
  updateUserRole: scenario(async ({ ask, admin, createUser }) => {
    const { userId } = await createUser()
    return ask('updateUserRole', { role: 'admin' }, admin.key, { params: { userId } })
  }, '200'),
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
  deleteInvitation: scenario(async ({ ask, admin, invitations }) => {
    const { invitationId } = await invitations.invite(admin.key)
    return ask('deleteInvitation', { invitationId }, admin.key)
  }, '404 InvitationNotFoundError'),
  acceptInvitation: scenario(async ({ askWithNewKey, admin, invitations }) => {
    const { token } = await invitations.invite(admin.key)
    return askWithNewKey('acceptInvitation', { token, password: 'correct horse battery staple' })
  }, '404 InvitationNotFoundError'),
} satisfies Record<string, Scenario>

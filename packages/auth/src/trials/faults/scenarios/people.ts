import { closeUser } from '../../../people/people.ts'
import { provedLongAgo, waitingRemoval } from '../../../people/testing/people.ts'
import { type Scenario, type Stage, scenario } from './stage.ts'

/** The operator's key, with a fresh proof: their sign-in was as the stage began. */
export async function operator({ admin, proveRecent }: Stage) {
  await proveRecent(admin)
  return admin.key
}

/** What operators do to accounts. */
export const peopleScenarios = {
  suspendUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    return stage.ask('suspendUser', {}, await operator(stage), { params: { userId } })
  }, '409 ConflictError'),
  signUserOut: scenario(async (stage) => {
    const { userId } = await stage.signedInUser()
    return stage.ask('signUserOut', {}, await operator(stage), { params: { userId } })
  }, '200'),
  requireNewPassword: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    return stage.ask('requireNewPassword', {}, await operator(stage), { params: { userId } })
  }, '204'),
  reactivateUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    const params = { userId }
    const key = await operator(stage)
    await stage.call('suspendUser', {}, key, { params })
    return stage.ask('reactivateUser', {}, key, { params })
  }, '409 ConflictError'),
  updateUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    const body = { displayName: 'Ada', email: stage.newAddress(), reason: 'a letter' }
    return stage.ask('updateUser', body, await operator(stage), { params: { userId } })
  }, '200'),
  closeUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    return stage.ask('closeUser', {}, await operator(stage), { params: { userId } })
  }, '409 ConflictError'),
  restoreUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    await stage.server.within(() => closeUser(userId))
    return stage.ask('restoreUser', {}, await operator(stage), { params: { userId } })
  }, '409 ConflictError'),
  removeUserFactor: scenario(async (stage) => {
    const user = await provedLongAgo(stage, await stage.signedInUser())
    const { passkeyId } = await stage.passkeys.enrol(user)
    const params = { userId: user.userId }
    return stage.ask('removeUserFactor', { passkeyId }, await operator(stage), { params })
  }, '409 ConflictError'),
  stopFactorRemoval: scenario(async (stage) => {
    const { token } = await waitingRemoval(stage, stage.admin)
    return stage.ask('stopFactorRemoval', { token })
  }, '404 FactorRemovalLinkError'),
  pendingFactorRemoval: scenario(async (stage) => {
    const { user } = await waitingRemoval(stage, stage.admin)
    return stage.ask('pendingFactorRemoval', undefined, user.key)
  }, '200'),
  keepFactor: scenario(async (stage) => {
    const { user } = await waitingRemoval(stage, stage.admin)
    return stage.ask('keepFactor', {}, user.key)
  }, '204'),
  resendUserMail: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    const body = { mail: 'password_reset' }
    return stage.ask('resendUserMail', body, await operator(stage), { params: { userId } })
  }, '204'),
  exportUser: scenario(async (stage) => {
    const { userId } = await stage.createUser()
    return stage.ask('exportUser', {}, await operator(stage), { params: { userId } })
  }, '200'),
  createUser: scenario(
    async (stage) => stage.ask('createUser', { email: stage.newAddress() }, await operator(stage)),
    '409 AccountAlreadyExistsError',
  ),
  inviteUsers: scenario(async (stage) => {
    const body = { rows: [{ email: stage.newAddress() }, { email: stage.newAddress() }] }
    return stage.ask('inviteUsers', body, await operator(stage))
  }, '200'),
} satisfies Record<string, Scenario>

import { randomUUID } from 'node:crypto'
import { harmlessJob, keptJob } from '../../../background-jobs/testing/jobs.ts'
import { closeUser, removeUserFactor } from '../../../people/people.ts'
import { provedLongAgo } from '../../../people/testing/people.ts'
import { suspendUser } from '../../../suspension/suspension.ts'
import { done } from '../../../test-answers.ts'
import { testPassword as password } from '../../../testing.ts'
import type { Lives, Stage } from './stage.ts'

/** Invitations, roles, and the lists of who administers. */
export function administration(stage: Stage): Lives {
  const { auth, call, root, keyFields, mailed, newEmail, withPasskey } = stage
  const { key } = root
  const invite = () => call('createInvitation', { email: newEmail(), role: 'user' }, key)
  const invited = () => mailed('invitation', invite)
  async function invitation() {
    const { invitationId } = await done(invite())
    return { key, body: { invitationId } }
  }
  async function support() {
    const { userId, key: owner } = await auth.signedInUser()
    const { code } = await done(call('createSupportCode', {}, owner))
    return { userId, reason: 'ticket 7', code: code as string, ...(await keyFields()) }
  }
  async function role() {
    const name = `role-${randomUUID().slice(0, 8)}`
    const answer = await done(call('createAdminRole', { name, displayName: 'r' }, key))
    return { key, params: { roleId: answer.role.roleId as string } }
  }

  return {
    createInvitation: async () => ({ key, body: { email: newEmail(), role: 'user' } }),
    getInvitation: async () => ({ body: { token: await invited() } }),
    acceptInvitation: async () => ({
      body: { token: await invited(), password, ...(await keyFields()) },
    }),
    cancelInvitation: invitation,
    resendInvitation: invitation,
    deleteInvitation: invitation,
    updateAdminRole: async () => ({ ...(await role()), body: { displayName: 'other' } }),
    deleteAdminRole: role,
    updateUserRole: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: { role: 'admin' } }
    },
    addUserRole: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: { role: 'admin' } }
    },
    removeUserRole: async () => {
      const { userId } = await auth.createUser({ otherRoles: ['admin'] })
      return { key, params: { userId, role: 'admin' } }
    },
    listAuditEvents: async () => ({ key, query: {} }),
    listStreams: async () => ({ key, query: {} }),
    endStream: async () => ({ key, params: { streamId: '0-00000000-1' } }),
    listJobQueues: async () => ({ key }),
    listJobs: async () => ({ key, query: { job: harmlessJob, state: 'failed' } }),
    readJob: async () => {
      const { jobId } = await keptJob(auth, 'failed')
      return { key, params: { jobId } }
    },
    listAgents: async () => ({ key, query: {} }),
    listMachines: async () => ({ key, query: {} }),
    readServerState: async () => ({ key }),
    listLimitHits: async () => ({ key }),
    retryJob: async () => {
      const { jobId, job } = await keptJob(auth, 'failed')
      return { key, params: { jobId }, body: { job } }
    },
    cancelJob: async () => {
      const { jobId, job } = await keptJob(auth, 'created')
      return { key, params: { jobId }, body: { job } }
    },
    listUsers: async () => ({ key, query: { email: 'a' } }),
    readUser: async () => ({ key, params: { userId: (await auth.createUser()).userId } }),
    suspendUser: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: { reason: 'a report' } }
    },
    signUserOut: async () => {
      const { userId, key: device } = await auth.signedInUser()
      return { key, params: { userId }, body: { keyId: device.keyId } }
    },
    requireNewPassword: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: {} }
    },
    reactivateUser: async () => {
      const { userId } = await auth.createUser()
      await auth.server.within(() => suspendUser(userId))
      return { key, params: { userId }, body: {} }
    },
    createSupportCode: async () => ({ key: (await auth.signedInUser()).key, body: {} }),
    openSupportSession: async () => ({ key, body: await support() }),
    endSupportSession: async () => {
      const body = await support()
      await done(call('openSupportSession', body, key))
      return { key, body: { keyId: body.keyId } }
    },
    updateUser: async () => {
      const { userId } = await auth.createUser()
      return {
        key,
        params: { userId },
        body: { displayName: 'Ada', email: newEmail(), reason: 'r' },
      }
    },
    closeUser: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: { reason: 'a report' } }
    },
    restoreUser: async () => {
      const { userId } = await auth.createUser()
      await auth.server.within(() => closeUser(userId))
      return { key, params: { userId }, body: {} }
    },
    removeUserFactor: async () => {
      const { user, passkeyId } = await withPasskey()
      await provedLongAgo(auth, user)
      return { key, params: { userId: user.userId }, body: { passkeyId } }
    },
    stopFactorRemoval: async () => {
      const { user, passkeyId } = await withPasskey()
      await provedLongAgo(auth, user)
      const ask = () => auth.server.within(() => removeUserFactor(user.userId, { passkeyId }))
      return { body: { token: await mailed('factor-removal-asked', ask) } }
    },
    pendingFactorRemoval: async () => ({ key: (await auth.signedInUser()).key }),
    keepFactor: async () => {
      const { user, passkeyId } = await withPasskey()
      await provedLongAgo(auth, user)
      await auth.server.within(() => removeUserFactor(user.userId, { passkeyId }))
      return { key: user.key, body: {} }
    },
    resendUserMail: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: { mail: 'password_reset' } }
    },
    exportUser: async () => {
      const { userId } = await auth.createUser()
      return { key, params: { userId }, body: {} }
    },
    createUser: async () => ({ key, body: { email: newEmail(), displayName: 'Ada' } }),
    inviteUsers: async () => ({ key, body: { rows: [{ email: newEmail(), role: 'user' }] } }),
    listInvitations: async () => ({ key, query: { status: 'pending' } }),
  }
}

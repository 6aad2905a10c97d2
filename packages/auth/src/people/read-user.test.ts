import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { stepsOf as contactOf } from '../contact/testing/contact.ts'
import { waitingDevices } from '../device/testing/test-waiting.ts'
import { testAgents } from '../oauth2/testing/test-agent.ts'
import { agentApp } from '../oauth2/testing/test-agent-app.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { linksOf } from '../social/accounts/testing/test-links.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { findUser } from './people.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)
const { root, admin, list, read, does, set } = await operatorsOf(auth)
const agents = testAgents(auth)

async function everything({ userId }: Pick<TestUser, 'userId'>) {
  const { body } = await read(userId)
  return { read: body, text: JSON.stringify(body) }
}

const kindsIn = ({ body }: { body: { waiting: { kind: string }[] } }) =>
  body.waiting.map(({ kind }) => kind)

describe('readUser', () => {
  it('has what those who help ask first, and no secret', async () => {
    const user = await auth.signedInUser()
    const { status, body } = await read(user.userId)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...(await list({ id: user.userId })).body.users[0],
      locale: 'en',
      timezone: 'UTC',
      metadata: {},
      hasPassword: true,
      mustChangePassword: false,
      factors: [],
      passkeys: [],
      linkedAccounts: [],
      devices: [expect.objectContaining({ keyId: user.key.keyId, isActive: true })],
      machines: [],
      grants: [],
      waiting: [],
    })
    expect(JSON.stringify(body)).not.toContain(user.key.registration.publicKey)
  })

  it('has its other ways in, its programs, what it has allowed to agents, and what waits', async () => {
    const user = await auth.signedInUser()
    const { passkeyId } = await passkeysOf(auth).enrol(user)
    await linksOf(auth).put(user.userId, { id: 'kakao' }, 'somebody there')
    const machine = await createTestKey()
    const asked = { ...machine.registration, deviceName: 'CI', permissions: [], expiresInDays: 1 }
    await done(auth.call('createMachineKey', asked, user.key))
    const agent = await agents.register()
    const { access_token: secret } = await agents.tokens(user, agent)
    await waitingDevices(auth).approvedBy(user)
    const { read: found } = await everything(user)
    expect(found).toMatchObject({
      passkeys: [{ passkeyId, secondFactor: false }],
      linkedAccounts: [{ provider: 'kakao' }],
      devices: [{ keyId: user.key.keyId, letIn: expect.any(Array) }],
      machines: [{ keyId: machine.keyId, deviceName: 'CI', permissions: [] }],
      grants: [{ clientId: agent.clientId, scopes: ['board'], resource: '/mcp' }],
      waiting: [{ kind: 'approval' }],
    })
    expect(JSON.stringify(found)).not.toContain(secret)
    await auth.call('revokeAllKeys', { currentPassword: user.password }, user.key)
    expect((await everything(user)).read).toMatchObject({ grants: [], machines: [], waiting: [] })
  })

  it('has the mailed links that can be used still, by their kind alone', async () => {
    const user = await auth.signedInUser()
    const reset = () => auth.call('requestPasswordReset', { email: user.email })
    const resetToken = await auth.linkSentBy(reset, user.email, 'password-reset')
    const undoToken = await contactOf(auth).changed(user, `${randomUUID()}@example.org`)
    // The change has ended what was mailed to the address before.
    const { text, read: found } = await everything(user)
    expect(found.waiting).toEqual([
      {
        kind: 'contact_undo',
        createdAt: auth.clock.now().toISOString(),
        expiresAt: new Date(auth.clock.now().getTime() + 72 * 3_600_000).toISOString(),
      },
    ])
    const again = () => auth.call('requestPasswordReset', { email: found.email })
    await auth.linkSentBy(again, found.email, 'password-reset')
    // The one before is dead.
    const token = await auth.linkSentBy(again, found.email, 'password-reset')
    expect(kindsIn(await read(user.userId))).toEqual(['password_reset', 'contact_undo'])
    for (const each of [resetToken, undoToken, token]) expect(text).not.toContain(each)
    await contactOf(auth).undo(undoToken)
    expect(kindsIn(await read(user.userId))).toEqual([])
    const other = await auth.signedInUser()
    await auth.call('requestAccountDeletion', { password: other.password }, other.key)
    expect(kindsIn(await read(other.userId))).toEqual(['deletion'])
  })

  it('has who suspended it, when and why, until it is reactivated', async () => {
    const { userId } = await auth.signedInUser()
    const by = { userId: admin.userId, name: admin.email, isDeleted: false }
    await done(does('suspendUser')(userId, { reason: 'First' }))
    await done(does('reactivateUser')(userId))
    expect((await read(userId)).body).not.toHaveProperty('suspension')
    auth.clock.advance('1m')
    await done(does('suspendUser')(userId, { reason: 'Spam from this account' }))
    const at = auth.clock.now().toISOString()
    const suspended = { at, by, reason: 'Spam from this account' }
    expect((await read(userId)).body.suspension).toEqual(suspended)
    const other = await auth.signedInUser()
    await auth.server.within(() => suspendUser(other.userId))
    expect((await read(other.userId)).body.suspension).toEqual({ at })
  })

  it('has who opened the account, or invited its owner last', async () => {
    const { userId: opened } = await done(
      auth.call('createUser', { email: `${randomUUID()}@example.org` }, admin.key),
    )
    const label = ({ userId, email: name }: TestUser) => ({ userId, name, isDeleted: false })
    expect((await read(opened)).body.createdBy).toEqual(label(admin))
    const email = `${randomUUID()}@example.org`
    const invitation = { email, role: 'user' }
    let invitationId = ''
    const invite = async () => {
      const made = await done(auth.call('createInvitation', invitation, admin.key))
      invitationId = made.invitationId
    }
    await auth.linkSentBy(invite, email, 'invitation')
    const again = () => auth.call('resendInvitation', { invitationId }, root.key)
    const token = await auth.linkSentBy(again, email, 'invitation')
    const { registration } = await createTestKey()
    const body = { token, password: 'correct horse battery staple', ...registration }
    const { userId } = await done(auth.call('acceptInvitation', body))
    const { body: found } = await read(userId)
    expect(found.invitedBy).toEqual(label(root))
    expect(found).not.toHaveProperty('createdBy')
    await set(root.userId, { status: 'deleted' })
    expect((await read(userId)).body.invitedBy).toEqual({ userId: root.userId, isDeleted: true })
  })

  it('is the same for an application, which gets null where there is no account', async () => {
    const user = await auth.signedInUser()
    expect(await findUser(user.userId)).toEqual((await read(user.userId)).body)
    for (const unknown of [randomUUID(), 'nobody', '']) expect(await findUser(unknown)).toBe(null)
  })

  it('knows no account that is unknown, or gone', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { status: 'deleted' })
    for (const unknown of [userId, randomUUID(), 'nobody']) {
      expect(await read(unknown)).toMatchObject(refused(404, 'UserNotFoundError'))
    }
  })
})

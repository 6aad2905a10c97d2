import { setTimeout as wait } from 'node:timers/promises'
import { getTableName, is, isNotNull } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { waitingDevices } from '../device/testing/test-waiting.ts'
import { invitations } from '../invitations/schema.ts'
import { stepsOf as invitationStepsOf } from '../invitations/testing/invitations.ts'
import { deviceKeys } from '../keys/schema.ts'
import { stepsOf } from '../links/testing/links.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { verifyAccessToken } from '../oauth2/oauth2.ts'
import { agentOptions, testAgents } from '../oauth2/testing/test-agent.ts'
import { schema } from '../schema.ts'
import { endEverything, signOutEveryone } from '../sign-out/sign-out.ts'
import { streamingApplication } from '../streams/test-application.ts'
import { openStream, streamToken } from '../streams/test-stream.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestKey } from '../testing.ts'
import { createRevokeAllLink } from './revoke-all.ts'
import { backUp } from './testing/restore.ts'

const auth = await startTestAuth({ ...agentOptions, env: withKeyring() })
afterAll(() => auth.stop())
const { db, clock, parts } = auth.auth
const { approvedBy, poll } = waitingDevices(auth)
const agents = testAgents(auth)
const links = { signup: stepsOf(auth, 'signup'), reset: stepsOf(auth, 'reset') }
const inviting = invitationStepsOf(auth)

const session = (key: TestKey) => auth.call('getAuthSession', undefined, key)

type Credential = () => Promise<TestAnswer | boolean>

/** A valid credential of every kind. None is used yet. */
async function everyKind() {
  const root = await auth.signedInUser({ role: 'superadmin' })
  const user = await auth.signedInUser()
  const enrolled = await enrolledUser(auth)
  const challenged = await waitingSignIn(auth, enrolled)
  const machine = await machineOf(auth, user)
  const agent = await agents.register()
  const tokens = await agents.tokens(user, agent)
  const late = await auth.createUser()
  const resetSecret = await links.reset.secret(late.email)
  const resetLink = await links.reset.token((await auth.createUser()).email)
  const stranger = 'stranger@example.com'
  const signupSecret = await links.signup.secret(stranger)
  const signupLink = await links.signup.token('another@example.com')
  const everywhere = new URL((await createRevokeAllLink(user.userId)).url).searchParams.get('token')
  const target = { target: user.email, targetType: 'email', purpose: 'login' }
  const verificationToken = await auth.verificationToken(user.email)
  const code = await auth.requestCode(user.email)
  const waiting = await approvedBy(user)
  const invited = await inviting.invite(root.key)
  // Of sixty seconds, and of thirty.
  const agentsCode = await agents.allow(user, agent)
  const key = await createTestKey()
  const recoveryCode = enrolled.recoveryCodes[0]
  const credentials: Record<string, Credential> = {
    'a device’s key': () => session(user.key),
    'a superadmin’s key': () => session(root.key),
    'a machine’s key': () => session(machine),
    'an agent’s access token': async () =>
      (await verifyAccessToken(tokens.access_token, '/mcp')) !== null,
    'an agent’s refresh token': () => agents.refresh(agent, tokens.refresh_token),
    'an agent’s code': () => agents.redeem(agent, agentsCode),
    'a link of a reset': () => links.reset.open(resetLink),
    'the setup session of a reset': () => links.reset.finish(resetSecret),
    'a link of a signup': () => links.signup.open(signupLink),
    'the setup session of a signup': () => links.signup.finish(signupSecret),
    'a link that signs out': () => auth.call('confirmRevokeAllLink', { token: everywhere }),
    'an invitation': () => inviting.accept(invited.token),
    'a code': () => auth.call('verifyCode', { ...target, code }),
    'a verification token': () =>
      auth.call('login', { email: user.email, verificationToken, ...key.registration }),
    'an approved device': () => poll(waiting),
    'a sign-in that waits': () =>
      auth.call('mfaVerify', { challenge: challenged.challenge, recoveryCode }),
  }
  return { user, credentials }
}

async function opened(credentials: Record<string, Credential>) {
  const open: string[] = []
  for (const [name, present] of Object.entries(credentials)) {
    const answer = await present()
    if (typeof answer === 'boolean' ? answer : answer.status < 300) open.push(name)
  }
  return open
}

/** The credentials in each table, or why none of them must end. */
const tables: Record<string, string> = {
  users: 'ends: the generation of each is raised',
  device_keys: 'ends, with the browsers that it knows',
  oauth2_grants: 'ends',
  oauth2_tokens: 'ends with its grant',
  openid_sign_ins: 'ends',
  openid_sessions: 'opens nothing: it is what an application is told of',
  mailed_links: 'ends',
  invitations: 'ends: it stays without its token',
  verification_codes: 'ends',
  device_requests: 'ends',
  sign_in_challenges: 'ends',
  passkey_challenges: 'ends',
  oauth_pending: 'ends',
  one_time_tokens: 'ends',
  contact_changes:
    'stays: the link is the way back of an owner whose address was changed, and no sign-out ends it',
  approvals:
    'ends: it is of a generation that is over, and the key or the grant that asked has ended',
  passkeys: 'stays: people sign in with it again',
  totp_secrets: 'stays: people sign in with it again',
  recovery_codes: 'stays: people sign in with it again',
  social_accounts: 'stays: people sign in with it again',
  profiles: 'opens nothing',
  account_roles: 'opens nothing',
  roles: 'opens nothing',
  role_declarations: 'opens nothing',
  permissions: 'opens nothing',
  audit_events: 'opens nothing: it has requests that are spent',
  audit_seals: 'opens nothing: it has digests',
  audit_statements: 'opens nothing: no operation takes what the trail is signed with',
  support_codes: 'opens nothing to who is no operator, and they sign in again',
  factor_removals: 'stays: its link keeps a factor, and opens nothing',
  attempts: 'opens nothing: it counts',
  spent: 'opens nothing: it has what must not be used again',
  oauth2_device_requests:
    'opens nothing: what was allowed is a grant, and ends, and what waits needs a person who is signed in',
  oauth2_clients: 'opens nothing: a client without a grant gets no token',
}

describe('signOutEveryone', () => {
  it('is decided for every table that there is', () => {
    const names = Object.values(schema)
      .filter((each) => is(each, PgTable))
      .map(getTableName)
    expect(Object.keys(tables).toSorted()).toEqual(names.toSorted())
  })

  it('leaves no credential of an older state alive after a restore', async () => {
    const { user, credentials } = await everyKind()
    const restore = await backUp(db)
    const all = Object.keys(credentials)
    expect(await opened(credentials)).toEqual(all)
    expect(await db.$count(deviceKeys, isNotNull(deviceKeys.knownId))).toBeGreaterThan(0)
    await auth.call('revokeAllKeys', { includeCurrent: true }, user.key)
    expect(await opened(credentials)).toEqual(['a superadmin’s key'])
    // Credentials that were used up or revoked since then work again: this is the reason for the command.
    await restore()
    expect(await opened(credentials)).toEqual(all)

    await restore()
    const told: number[] = []
    const signedOut = await endEverything({ db, clock, parts }, (accounts) => told.push(accounts))
    expect(await opened(credentials)).toEqual([])
    const accounts = await db.$count(users)
    expect(told).toEqual([accounts])
    expect(await db.$count(deviceKeys, isNotNull(deviceKeys.knownId))).toBe(0)
    expect(signedOut).toEqual({
      accounts,
      devices: 3,
      programs: 1,
      agents: 2,
      links: 5,
      invitations: 1,
      codes: 1,
      waitingDevices: 1,
      signIns: 1,
    })
    const [entry] = (await db.select().from(auditEvents)).filter(
      ({ act }) => act === 'everyone.signed_out',
    )
    expect(entry?.details).toEqual(signedOut)
  })

  it('leaves no browser known, those that have signed out before included', async () => {
    const gone = await auth.signedInUser()
    await auth.call('logout', undefined, gone.key)
    await endEverything({ db, clock, parts })
    const [row] = await auth.keysOf(gone.userId)
    expect(row).toMatchObject({ revokedReason: 'logout', knownId: null })
  })

  it('lets people sign in again with what they have, and an invitation be sent again', async () => {
    const user = await auth.signedInUser()
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { invitationId, email } = await inviting.invite(root.key)
    await endEverything({ db, clock, parts })
    expect((await session(user.key)).status).toBe(401)
    expect((await session(await auth.signIn(user))).status).toBe(200)
    const again = await auth.signIn(root)
    const resend = () => auth.call('resendInvitation', { invitationId }, again)
    const token = await auth.linkSentBy(resend, email, 'invitation')
    expect((await inviting.accept(token)).status).toBeLessThan(300)
    expect(await db.$count(invitations)).toBeGreaterThan(0)
  })

  it('can be run twice, and goes through accounts in batches', async () => {
    const more = Array.from({ length: 501 }, () => ({
      userId: crypto.randomUUID(),
      publicId: crypto.randomUUID(),
      role: 'user',
      createdAt: clock.now(),
    }))
    await db.insert(users).values(more)
    const told: number[] = []
    const { accounts, devices } = await endEverything({ db, clock, parts }, (done) =>
      told.push(done),
    )
    expect(told).toEqual([500, accounts])
    expect(devices).toBeGreaterThan(0)
    expect(await endEverything({ db, clock, parts })).toMatchObject({
      accounts,
      devices: 0,
      links: 0,
    })
  })
})

describe('the streams of everyone who is signed out', () => {
  it('end within seconds', async () => {
    const streaming = await startTestAuth({ definition: streamingApplication() })
    try {
      const { key } = await streaming.signedInUser()
      const token = await streamToken(streaming.url, streaming.signerOf(key))
      const stream = await openStream(streaming.url, token)
      await streaming.within(() => signOutEveryone())
      await Promise.race([stream.ended, wait(5000).then(() => expect.fail('It is open yet.'))])
    } finally {
      await streaming.stop()
    }
  })
})

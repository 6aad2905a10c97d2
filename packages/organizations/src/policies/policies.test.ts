import { randomBytes } from 'node:crypto'
import { createTestKey, type TestKey, type TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { isMember } from '../allow.ts'
import { enrol } from '../test-factor.ts'
import { machineOf } from '../test-machine.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations({
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
})
const other = await auth.secondInstance()
afterAll(() => auth.stop())
const { apiOf, created, invited, joined, ask, accountOf, programOf } = stepsOf(auth)

const hour = 3_600_000
const day = 24 * hour

function advance(millis: number) {
  auth.clock.advance(millis)
  other.clock.set(auth.clock.now())
}

type Body = Parameters<ReturnType<typeof apiOf>['updateOrganizationPolicies']['call']>[0]['body']

const setPolicies = async (by: TestUser, org: string, body: Body) =>
  apiOf(by).updateOrganizationPolicies.call({ params: { org }, body: { ...given(by), ...body } })

// The tests move the clock, so a proof is never fresh.
const given = ({ password: currentPassword }: Pick<TestUser, 'password'>) => ({ currentPassword })

/** What the next request is answered, on both instances. */
async function board(org: string, { key }: Pick<TestUser, 'key'>) {
  const answers = [auth.server, other].map((at) => ask(`/orgs/${org}/board`, { key }, { at }))
  const [one, two] = await Promise.all(answers)
  const said = ({ status, body }: NonNullable<typeof one>) =>
    status === 200 ? 200 : [status, body.error.code, body.needs]
  if (!one || !two) throw new Error('No answers.')
  expect(said(one)).toEqual(said(two))
  return said(one)
}

const refused = (needs: string) => [403, 'OrganizationPolicyError', needs]

const read = (user: Pick<TestUser, 'key'>, org: string) =>
  apiOf(user).getOrganization.call({ params: { org } })

/** Signs in by a code that is mailed, with a new key or with one that is there. */
async function byCode({ email }: Pick<TestUser, 'email'>, key?: TestKey) {
  const device = key ?? (await createTestKey())
  const verificationToken = await auth.verificationToken(email)
  const body = { email, verificationToken, ...device.registration }
  const { status } = await auth.call('login', body)
  if (status !== 200) throw new Error(`login answered ${status}`)
  return device
}

/** A device that another one has approved. */
async function approvedBy({ key, password }: Pick<TestUser, 'key' | 'password'>) {
  const device = await createTestKey()
  const { body } = await auth.call('startDeviceAuth', device.registration)
  const { userCode, deviceCode } = body
  const approved = await auth.call('approveDeviceAuth', { userCode, ...given({ password }) }, key)
  if (approved.status !== 200) throw new Error(JSON.stringify(approved.body))
  const { status } = await auth.call('pollDeviceAuth', { deviceCode })
  if (status !== 200) throw new Error(`pollDeviceAuth answered ${status}`)
  return device
}

/** An organization whose owner has a second factor. */
async function guarded() {
  const { owner, org } = await created()
  return { owner, org, stepUp: await enrol(auth, owner) }
}

describe('a second factor', () => {
  it('is asked of a member who is there already when the window is over, and of a new one at once', async () => {
    const { owner, org } = await guarded()
    const member = await joined(owner, org)
    advance(1000)
    const { secondFactorBy } = await setPolicies(owner, org, { requireSecondFactor: true })
    expect(new Date(secondFactorBy ?? 0)).toEqual(new Date(auth.clock.now().getTime() + 7 * day))
    expect(await board(org, member)).toBe(200)
    expect(await read(member, org)).toMatchObject({ unmet: [], secondFactorBy })
    const newcomer = await joined(owner, org)
    expect(await board(org, newcomer)).toEqual(refused('second-factor'))
    advance(7 * day - 1)
    expect(await board(org, member)).toBe(200)
    advance(1)
    expect(await board(org, member)).toEqual(refused('second-factor'))
    expect(await read(member, org)).toMatchObject({ unmet: ['second-factor'], secondFactorBy })
    await auth.proveRecent(member)
    await enrol(auth, member)
    expect(await board(org, member)).toBe(200)
    expect(await read(member, org)).not.toHaveProperty('secondFactorBy')
  })

  it('is asked at once without a window, and a later change of another policy moves no window', async () => {
    const { owner, org, stepUp } = await guarded()
    const member = await joined(owner, org)
    advance(1000)
    const window = { requireSecondFactor: true, secondFactorWindowDays: 2 }
    const { secondFactorBy } = await setPolicies(owner, org, window)
    advance(day)
    await stepUp()
    const body = { requireSecondFactor: true, maxKeyAgeHours: 1000 }
    expect(await setPolicies(owner, org, body)).toMatchObject({ secondFactorBy })
    await setPolicies(owner, org, { secondFactorWindowDays: 0 })
    expect(await board(org, member)).toEqual(refused('second-factor'))
    await setPolicies(owner, org, { requireSecondFactor: false })
    expect(await board(org, member)).toBe(200)
  })
})

describe('ways in', () => {
  it('are those by which the device has signed in, and no proof changes it', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const codeKey = await byCode(owner)
    await auth.proveRecent({ ...owner, key: codeKey })
    await setPolicies({ ...owner, key: codeKey }, org, { waysIn: ['code', 'passkey'] })
    const answer = await ask(`/orgs/${org}/board`, member)
    expect(answer.body).toMatchObject({ needs: 'way-in', ways: ['code', 'passkey'] })
    await auth.proveRecent(member)
    expect(await board(org, member)).toEqual(refused('way-in'))
    expect(await board(org, { key: await byCode(member) })).toBe(200)
    // The same key, by another way.
    await byCode(member, member.key)
    expect(await board(org, member)).toBe(200)
    const { email, password } = member
    await auth.call('login', { email, password, ...member.key.registration })
    expect(await board(org, member)).toEqual(refused('way-in'))
  })

  it('of a device that another one has approved, or of a rotated key, are those of the first', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const ownersCode = { ...owner, key: await byCode(owner) }
    await setPolicies(ownersCode, org, { waysIn: ['code'] })
    expect(await board(org, { key: await approvedBy(member) })).toEqual(refused('way-in'))
    const signedIn = { ...member, key: await byCode(member) }
    expect(await board(org, { key: await approvedBy(signedIn) })).toBe(200)
    const next = await createTestKey()
    await auth.call('rotateKey', next.registration, member.key)
    expect(await board(org, { key: next })).toEqual(refused('way-in'))
    const successor = await createTestKey()
    await auth.call('rotateKey', successor.registration, signedIn.key)
    expect(await board(org, { key: successor })).toBe(200)
  })

  it('are not known of a key from before they were stored, which is refused', async () => {
    const { owner, org } = await created()
    await setPolicies(owner, org, { waysIn: ['password'] })
    const old = sql`update svc_auth.device_keys set signed_in_by = null, signed_in_at = null
      where key_id = ${owner.key.keyId}`
    await auth.auth.db.execute(old)
    expect(await board(org, owner)).toEqual(refused('way-in'))
  })
})

describe('the life of a key', () => {
  it('is over so many hours after it has signed in, and a fresh proof does not lengthen it', async () => {
    const { owner, org } = await created()
    await setPolicies(owner, org, { maxKeyAgeHours: 12 })
    advance(12 * hour)
    expect(await board(org, owner)).toBe(200)
    advance(1)
    expect(await board(org, owner)).toEqual(refused('sign-in-again'))
    await auth.proveRecent(owner)
    expect(await board(org, owner)).toEqual(refused('sign-in-again'))
    expect(await board(org, { key: await approvedBy(owner) })).toEqual(refused('sign-in-again'))
    expect(await board(org, { key: await auth.signIn(owner) })).toBe(200)
  })

  it('ends in disuse, and using it elsewhere does not bring it back', async () => {
    const { owner, org } = await created()
    await setPolicies(owner, org, { maxIdleHours: 2 })
    const use = async (key: TestKey) => {
      const { status } = await auth.call('getAuthSession', undefined, key)
      await auth.auth.keyUse.flush()
      return status
    }
    for (let times = 0; times < 3; times += 1) {
      advance(hour)
      expect(await use(owner.key)).toBe(200)
    }
    expect(await board(org, owner)).toBe(200)
    advance(2 * hour + 1000)
    expect(await board(org, owner)).toEqual(refused('sign-in-again'))
    expect(await use(owner.key)).toBe(200)
    advance(60_000)
    expect(await use(owner.key)).toBe(200)
    expect(await board(org, owner)).toEqual(refused('sign-in-again'))
    await auth.proveRecent(owner)
    expect(await board(org, { key: await approvedBy(owner) })).toEqual(refused('sign-in-again'))
    const next = await createTestKey()
    await auth.call('rotateKey', next.registration, owner.key)
    expect(await board(org, { key: next })).toEqual(refused('sign-in-again'))
    const { email, password } = owner
    await auth.call('login', { email, password, ...next.registration })
    expect(await board(org, { key: next })).toBe(200)
    expect(await use(next)).toBe(200)
    expect(await board(org, { key: next })).toBe(200)
  })
})

describe('allowed domains', () => {
  it('are those of the proved address of a member, of an invited one, and of one who accepts', async () => {
    const owner = await auth.signedInUser({ email: `${crypto.randomUUID()}@acme.example` })
    const { organizationId: org } = await apiOf(owner).createOrganization.call({
      body: { name: 'Acme' },
    })
    const stranger = await auth.signedInUser()
    const token = await invited(owner, org, { email: stranger.email })
    const member = await joined(owner, org)
    const colleague = await auth.signedInUser({ email: `${crypto.randomUUID()}@acme.example` })
    const set = await setPolicies(owner, org, { allowedDomains: ['ACME.example'] })
    expect(set).toMatchObject({ allowedDomains: ['acme.example'] })
    expect(await board(org, member)).toEqual(refused('domain'))
    const accept = apiOf(stranger).acceptOrganizationInvitation
    expect(await nameOf(accept.call({ body: { token } }))).toBe('OrganizationPolicyError')
    const invite = (email: string) =>
      apiOf(owner).inviteToOrganization.call({
        params: { org },
        body: { email, ...given(owner) },
      })
    expect(await nameOf(invite(`${crypto.randomUUID()}@sub.acme.example`))).toBe(
      'OrganizationPolicyError',
    )
    const link = await invited(owner, org, { email: colleague.email })
    await apiOf(colleague).acceptOrganizationInvitation.call({ body: { token: link } })
    expect(await board(org, colleague)).toBe(200)
    const unproved = sql`update svc_auth.users set email_verified_at = null where user_id = ${colleague.userId}`
    await auth.auth.db.execute(unproved)
    expect(await board(org, colleague)).toEqual(refused('domain'))
  })
})

describe('a member who is refused', () => {
  it('may read what is asked and leave, and nothing else', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const ownersCode = { ...owner, key: await byCode(owner) }
    const params = { org }
    const { teamId } = await apiOf(owner).createTeam.call({ params, body: { name: 'Sales' } })
    const joining = { params: { org, teamId }, body: { userId: member.userId, ...given(owner) } }
    await apiOf(owner).addTeamMember.call(joining)
    await setPolicies(ownersCode, org, { waysIn: ['code'] })
    const api = apiOf(member)
    expect(await read(member, org)).toMatchObject({ roles: ['member'], unmet: ['way-in'] })
    expect(await api.getOrganizationPolicies.call({ params })).toEqual({
      requireSecondFactor: false,
      waysIn: ['code'],
    })
    const list = api.listOrganizationMembers.call({ params, query: {} })
    expect(await nameOf(list)).toBe('OrganizationPolicyError')
    const ofTeam = await ask(`/orgs/${org}/teams/${teamId}/board`, member)
    expect(ofTeam.body.error.code).toBe('OrganizationPolicyError')
    expect(await nameOf(api.leaveOrganization.call({ params }))).toBe('done')
    expect(await nameOf(read(member, org))).toBe('OrganizationNotFoundError')
  })

  it('is told of the policy before the role, and a stranger of neither', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const ownersCode = { ...owner, key: await byCode(owner) }
    const program = await programOf(ownersCode, org)
    const policies = { waysIn: ['code'], allowedDomains: ['example.com'] }
    await setPolicies(ownersCode, org, policies)
    const write = (user: TestUser) => ask(`/orgs/${org}/invoices`, user, { method: 'POST' })
    expect((await write(member)).body.error.code).toBe('OrganizationPolicyError')
    expect((await write(await auth.signedInUser())).status).toBe(404)
    // Programs get what they got before: those of the organization are asked nothing.
    const machine = await machineOf(auth, member)
    expect((await ask(`/orgs/${org}/board`, { key: machine })).body.error.code).toBe(
      'ForbiddenError',
    )
    expect((await ask(`/orgs/${org}/board`, { key: program })).status).toBe(200)
  })

  it('may be the heir of a deleted owner: what is asked of all is asked of the new owner too', async () => {
    const owner = await auth.signedInUser({ email: `${crypto.randomUUID()}@acme.example` })
    const { organizationId: org } = await apiOf(owner).createOrganization.call({
      body: { name: 'Acme' },
    })
    const heir = await joined(owner, org)
    await setPolicies(owner, org, { allowedDomains: ['acme.example'] })
    await auth.purge(owner)
    advance(0)
    expect(await read(heir, org)).toMatchObject({ roles: ['owner', 'member'], unmet: ['domain'] })
    expect(await board(org, heir)).toEqual(refused('domain'))
    const clear = setPolicies(heir, org, { allowedDomains: null })
    expect(await nameOf(clear)).toBe('OrganizationPolicyError')
    const email = `${crypto.randomUUID()}@acme.example`
    const moved = sql`update svc_auth.users set email = ${email} where user_id = ${heir.userId}`
    await auth.auth.db.execute(moved)
    expect(await board(org, heir)).toBe(200)
    await setPolicies(heir, org, { allowedDomains: null })
  })

  it('refuses an operator in a support session what the account lacks, and asks nothing of the device', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const superadmin = await auth.signedInUser({ role: 'superadmin' })
    const key = await createTestKey()
    const session = { userId: member.userId, reason: 'ticket 7', ...key.registration }
    await auth.call('openSupportSession', session, superadmin.key)
    const ownersCode = { ...owner, key: await byCode(owner) }
    await setPolicies(ownersCode, org, { waysIn: ['code'] })
    expect(await board(org, member)).toEqual(refused('way-in'))
    expect(await board(org, { key })).toBe(200)
    const unproved = sql`update svc_auth.users set email_verified_at = null where user_id = ${member.userId}`
    await auth.auth.db.execute(unproved)
    await setPolicies(ownersCode, org, { waysIn: null, allowedDomains: ['example.com'] })
    expect(await board(org, { key })).toEqual(refused('domain'))
  })
})

describe('updateOrganizationPolicies', () => {
  it('refuses a policy that the caller does not meet, and changes nothing then', async () => {
    const { owner, org } = await created()
    const needs = (body: Body) =>
      setPolicies(owner, org, body).then(
        () => 'done',
        (error: { needs?: string }) => error.needs,
      )
    expect(await needs({ requireSecondFactor: true })).toBe('second-factor')
    expect(await needs({ waysIn: ['passkey'] })).toBe('way-in')
    expect(await needs({ allowedDomains: ['acme.example'] })).toBe('domain')
    advance(3 * hour)
    expect(await needs({ maxKeyAgeHours: 2 })).toBe('sign-in-again')
    const params = { org }
    expect(await apiOf(owner).getOrganizationPolicies.call({ params })).toEqual({
      requireSecondFactor: false,
    })
  })

  it('keeps what it is not told of, forgets what is null, and is in the trail', async () => {
    const { owner, org } = await created()
    await setPolicies(owner, org, { maxKeyAgeHours: 24, waysIn: ['password'] })
    const after = await setPolicies(owner, org, { maxKeyAgeHours: null })
    expect(after).toEqual({ requireSecondFactor: false, waysIn: ['password'] })
    await setPolicies(owner, org, { waysIn: null })
    const stored = sql`select policies from organizations.organizations where organization_id = ${org}`
    expect((await auth.auth.db.execute(stored)).rows).toEqual([{ policies: null }])
    const trail = sql`select details from svc_auth.audit_events
      where act = 'organization.policies_updated' and details->>'organizationId' = ${org} order by at, audit_id limit 1`
    const [entry] = (await auth.auth.db.execute(trail)).rows
    expect(entry?.['details']).toMatchObject({
      before: { requireSecondFactor: false },
      after: { maxKeyAgeHours: 24, waysIn: ['password'] },
    })
  })

  it('needs the permission and a fresh proof', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    expect(await nameOf(setPolicies(member, org, { maxIdleHours: 5 }))).toBe('ForbiddenError')
    advance(hour)
    const call = apiOf(owner).updateOrganizationPolicies.call({
      params: { org },
      body: { maxIdleHours: 5 },
    })
    expect(await nameOf(call)).toBe('RecentAuthenticationRequiredError')
  })
})

describe('isMember', () => {
  it('counts what the account does not meet, and what a key does not meet if it is given', async () => {
    const { owner, org } = await guarded()
    const member = await joined(owner, org)
    const ofCode = await byCode(member)
    const program = await accountOf(owner, org)
    advance(1000)
    const asked = (key?: TestKey) => auth.within(() => isMember(member.userId, org, key?.keyId))
    await setPolicies(owner, org, { waysIn: ['password'] })
    expect([await asked(), await asked(member.key), await asked(ofCode)]).toEqual([
      true,
      true,
      false,
    ])
    expect(await asked(owner.key)).toBe(false)
    await setPolicies(owner, org, { waysIn: null, requireSecondFactor: true })
    expect(await asked()).toBe(true)
    await setPolicies(owner, org, { secondFactorWindowDays: 0 })
    expect([await asked(), await asked(member.key)]).toEqual([false, false])
    // A service account can have no second factor, and is asked for none.
    expect(await auth.within(() => isMember(program, org))).toBe(true)
  })
})

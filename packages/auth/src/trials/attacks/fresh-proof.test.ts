import { defineRouter, route } from '@svc/core'
import type { InputSchemas } from '@svc/core/contract'
import { sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { type AuthContract, authContract } from '../../auth-contract.ts'
import { configureAuth } from '../../configure-auth.ts'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { type EnrolledUser, enrol, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { testTerminals } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { agentOptions, pkce, testAgents } from '../../oauth2/testing/test-agent.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { requireRole } from '../../roles/roles.ts'
import { done, refused } from '../../test-answers.ts'
import { startTestAuth, type TestKey, type TestUser } from '../../testing.ts'
import { type Schema, valuesOf } from '../fuzz/values.ts'

// An attacker has the key of one device, and no proof of anything.
// A role without permissions has power where a gate names it.
const router = defineRouter({
  gate: route
    .get('/gate')
    .use([requireRole('gatekeeper')])
    .handler(() => ({})),
})
const auth = await startTestAuth({
  options: { ...agentOptions.options, support: { consent: 'code' } },
  router,
  env: withKeyring(),
})
afterAll(() => auth.stop())
const { call, clock } = auth
const devices = waitingDevices(auth)
const agents = testAgents(auth)
const terminals = testTerminals(auth)
const passkeys = passkeysOf(auth)

const notRecent = refused(403, 'RecentAuthenticationRequiredError')
const notProved = refused(403, 'StepUpRequiredError')
const noProgram = refused(403, 'ForbiddenError')
const proofRefusals = ['RecentAuthenticationRequiredError', 'StepUpRequiredError']

type Name = keyof AuthContract

const namesOf = (wanted: (access: string) => boolean) =>
  Object.entries(authContract)
    .filter(([, { access }]) => wanted(access))
    .map(([name]) => name as Name)

const isForSome = (access: string) => access.startsWith('fresh for some')
const always = namesOf((access) => access.startsWith('fresh') && !isForSome(access))
const forSome = namesOf(isForSome)

/** Input that is valid for the operation, without the current password. */
function inputOf(name: Name) {
  const { body, params }: InputSchemas = authContract[name].operation.input
  const given = (schema: object | undefined) => {
    if (!schema) return undefined
    const [value] = sample(valuesOf(schema as Schema), { numRuns: 1, seed: 1 })
    const { currentPassword: _, ...rest } = value as Record<string, unknown>
    return rest
  }
  return { body: given(body), params: given(params) as Record<string, string> }
}

function ask(name: Name, key: TestKey) {
  const { body, params } = inputOf(name)
  return call(name, body, key, params && { params })
}

const wasLetThrough = async (name: Name, key: TestKey) =>
  !proofRefusals.includes((await ask(name, key)).body?.error?.code)

/** Longer ago than any window. */
const longAgo = '61m'

describe('every operation that mints a credential or gives power (decisions 16)', () => {
  let taken: TestUser
  let enrolled: EnrolledUser
  let machine: TestKey
  beforeAll(async () => {
    taken = await auth.signedInUser({ role: 'superadmin' })
    machine = await machineOf(auth, taken)
    enrolled = await enrol(auth, await auth.signedInUser({ role: 'superadmin' }))
    clock.advance(longAgo)
  })

  it.each(always)('%s is refused to a device on which nothing was proved lately', async (name) => {
    expect(await ask(name, taken.key)).toMatchObject(notRecent)
  })

  it.each(orFew(always, 12))(
    '%s is refused where the second factor was not proved lately',
    async (name) => {
      expect(await ask(name, enrolled.key)).toMatchObject(notProved)
      // A password is no second factor.
      expect(
        await call('proveRecent', { password: enrolled.password }, enrolled.key),
      ).toMatchObject(notProved)
    },
  )

  it.each(orFew(always, 12))('%s is refused to a machine, which proves nothing', async (name) => {
    expect(await ask(name, machine)).toMatchObject(noProgram)
  })

  it('goes on once the proof is there', async () => {
    await done(call('proveRecent', { password: taken.password }, taken.key))
    await done(call('mfaStepUp', { code: enrolled.code() }, enrolled.key))
    // A passkey can sign in without either, so adding one needs both.
    expect(await ask('passkeyRegisterOptions', enrolled.key)).toMatchObject(notRecent)
    await done(call('proveRecent', { password: enrolled.password }, enrolled.key))
    for (const name of always) {
      expect([name, await wasLetThrough(name, taken.key)]).toEqual([name, true])
      expect([name, await wasLetThrough(name, enrolled.key)]).toEqual([name, true])
    }
  })
})

describe('a device that was taken', () => {
  let taken: TestUser
  beforeAll(async () => {
    taken = await auth.signedInUser({ role: 'admin' })
    await passkeys.enrol(taken)
    clock.advance(longAgo)
  })

  it('approves no device of the attacker (decisions 16)', async () => {
    const device = await devices.start()
    expect(await devices.approve(device, taken)).toMatchObject(notRecent)
    expect((await devices.poll(device)).body).toMatchObject({ status: 'pending' })
    expect(await auth.keysOf(taken.userId)).toHaveLength(1)
  })

  const partly = {
    createOAuth2AuthorizationCode: async () => {
      const agent = await agents.register()
      const asked = agents.asked(agent, pkce().challenge)
      const allowed = await agents.decide(taken, asked)
      // Denying takes no proof.
      expect(await agents.decide(taken, asked, 'deny')).toMatchObject({ status: 200 })
      return allowed
    },
    decideOAuth2DeviceRequest: async () => {
      const code = await terminals.start(await terminals.register())
      const allowed = await terminals.decide(code, taken)
      // Denying takes no proof.
      expect(await terminals.deny(code, taken)).toMatchObject({ status: 204 })
      return allowed
    },
    setSessionBinding: () => call('setSessionBinding', { mode: 'passkey' }, taken.key),
    createInvitation: () => {
      const invited = { email: 'thief@example.com', role: 'powerful' }
      return call('createInvitation', invited, taken.key)
    },
    resendInvitation: async () => {
      const email = 'friend@example.com'
      const owner = await auth.signIn(taken)
      const { invitationId } = await done(
        call('createInvitation', { email, role: 'powerful' }, owner),
      )
      return call('resendInvitation', { invitationId }, taken.key)
    },
  } satisfies Partial<Record<Name, () => Promise<unknown>>>
  beforeAll(async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const role = { name: 'powerful', displayName: 'Powerful', permissions: ['user:read'] }
    await done(call('createAdminRole', role, root.key))
  })

  it.each(Object.entries(partly))('%s gives nothing by it (decisions 16)', async (_, attack) => {
    expect(await attack()).toMatchObject(notRecent)
  })

  it('has been tried on each operation that asks for some of what it does', () => {
    expect(Object.keys(partly).toSorted()).toEqual(forSome.toSorted())
  })

  it('invites into a role without power, as ever', async () => {
    const invited = { email: 'newcomer@example.com', role: 'user' }
    expect(await call('createInvitation', invited, taken.key)).toMatchObject({ status: 201 })
  })

  it('guesses the password no more often than changePassword does', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    limited.clock.set(clock.now())
    const { key } = await limited.signedInUser()
    const guess = () => limited.call('proveRecent', { password: 'a guess' }, key)
    const guesses = await Promise.all(Array.from({ length: 30 }, guess))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
    const change = { currentPassword: 'a guess', newPassword: 'a quite different pass phrase' }
    expect(await limited.call('changePassword', change, key)).toMatchObject({ status: 429 })
    await limited.stop()
  })
})

describe('a superadmin with an authenticator app', () => {
  it('makes no other superadmin thirty days after the sign-in, until it has stepped up (A3)', async () => {
    const root = await enrol(auth, await auth.signedInUser({ role: 'superadmin' }))
    const { userId } = await auth.signedInUser()
    clock.advance('30d')
    const promote = () =>
      call('updateUserRole', { role: 'superadmin' }, root.key, { params: { userId } })
    expect(await promote()).toMatchObject(notProved)
    await done(call('mfaStepUp', { code: root.code() }, root.key))
    expect(await promote()).toMatchObject({ status: 200 })
  })

  it('works for an hour on one sign-in where there is none (decisions 16)', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { userId } = await auth.signedInUser()
    const promote = (role: string) =>
      call('updateUserRole', { role }, root.key, { params: { userId } })
    clock.advance(60 * 60_000 - 1)
    expect(await promote('admin')).toMatchObject({ status: 200 })
    clock.advance(1)
    expect(await promote('user')).toMatchObject(notRecent)
  })
})

describe('a machine that may invite', () => {
  it('invites into no role that has power, be it by its name alone (A3)', async () => {
    const owner = await auth.signedInUser({ role: 'superadmin' })
    const machine = await machineOf(auth, owner, { permissions: ['user:invite', 'user:read'] })
    const make = (name: string, permissions: string[]) => {
      const role = { name, displayName: name, permissions }
      return done(call('createAdminRole', role, owner.key))
    }
    await make('reader', ['user:read'])
    await make('plain', ['auth:self:manage'])
    await make('gatekeeper', [])
    const invite = (role: string) =>
      call('createInvitation', { email: `${role}@machine.example.com`, role }, machine)
    for (const role of ['reader', 'gatekeeper', 'admin', 'superadmin']) {
      expect(await invite(role)).toMatchObject(noProgram)
    }
    for (const role of ['user', 'plain']) expect(await invite(role)).toMatchObject({ status: 201 })
  })
})

describe('freshProof: letter', () => {
  beforeAll(() => configureAuth({ freshProof: 'letter' }))
  afterAll(() => configureAuth({ freshProof: 'required' }))

  const byLetter: Name[] = [
    'approveDeviceAuth',
    'passkeyRegisterOptions',
    'passkeyRegisterVerify',
    'mfaTotpEnroll',
    'mfaTotpConfirm',
    'createAdminRole',
    'updateAdminRole',
    'deleteAdminRole',
    'updateUserRole',
    'addUserRole',
    'removeUserRole',
    'deleteInvitation',
  ]

  it('is answered as the documents say, and nothing else is (A-163, A-190, A-226, A-227, A-236, A-237)', async () => {
    const { key } = await auth.signedInUser({ role: 'superadmin' })
    clock.advance(longAgo)
    for (const name of always) {
      expect([name, await wasLetThrough(name, key)]).toEqual([name, byLetter.includes(name)])
    }
  })

  it('lets an old session be bound (A-250)', async () => {
    const user = await auth.signedInUser()
    await passkeys.enrol(user)
    clock.advance(longAgo)
    const bind = await call('setSessionBinding', { mode: 'passkey' }, user.key)
    expect(bind).toMatchObject({ status: 200, body: { mode: 'passkey' } })
  })

  it('asks for the second factor still, where the documents do (A-247)', async () => {
    const user = await enrol(auth, await auth.signedInUser({ role: 'superadmin' }))
    clock.advance(longAgo)
    const ofFactors = [
      'approveDeviceAuth',
      'passkeyRegisterOptions',
      'passkeyRegisterVerify',
      'mfaTotpEnroll',
      'mfaTotpConfirm',
    ] as const
    for (const name of ofFactors) expect(await ask(name, user.key)).toMatchObject(notProved)
    const { userId } = await auth.signedInUser()
    const promote = call('updateUserRole', { role: 'admin' }, user.key, { params: { userId } })
    expect(await promote).toMatchObject({ status: 200 })
  })

  it('lets a device in by one that signed in long ago (A-190)', async () => {
    const user = await auth.signedInUser()
    clock.advance(longAgo)
    const device = await devices.start()
    expect(await devices.approve(device, user)).toMatchObject({ status: 200 })
    expect((await devices.poll(device)).body).toMatchObject({ status: 'approved' })
  })

  it('is logged when the server starts', async () => {
    const told = ({ logged }: { logged: readonly { msg?: unknown }[] }) =>
      logged.some(({ msg }) => String(msg).includes('freshProof'))
    const second = await auth.secondInstance()
    expect([told(auth), told(second)]).toEqual([false, true])
  })
})

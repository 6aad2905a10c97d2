import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindingOf } from '../../key-binding/testing/binding.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestKey } from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'

// A passkey signs for one thing: what it has signed must be worth nothing anywhere else.
const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { call } = auth
const passkeys = passkeysOf(auth)
const binding = bindingOf(auth)

/** Somebody whose passkey is good at every place: it is the factor, and the session is bound to it. */
async function newOwner() {
  const user = await enrolledUser(auth)
  const { device, passkeyId } = await passkeys.enrol(user)
  await call('mfaMarkPasskey', { passkeyId, secondFactor: true }, user.key)
  await binding.bind(user.key)
  return { ...user, device, ...(await waitingSignIn(auth, user)), signer: user.key }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

interface Place {
  ask: (owner: Owner) => Promise<TestAnswer>
  give: (response: object, owner: Owner) => Promise<TestAnswer>
}

const withNewKey = async (body: object) => ({ ...body, ...(await createTestKey()).registration })
const renewing = ({ keyId }: TestKey) => ({ expiredKeyId: keyId })

const places: Record<string, Place> = {
  'a sign-in': {
    ask: () => call('passkeyLoginOptions', {}),
    give: async (response) => call('passkeyLoginVerify', await withNewKey({ response })),
  },
  'a sign-in that waits': {
    ask: ({ challenge }) => call('mfaVerifyOptions', { challenge }),
    give: async (response, owner) => {
      const { challenge } = owner
      return call('mfaVerify', { challenge, response })
    },
  },
  'a step-up': {
    ask: ({ signer }) => call('mfaStepUpOptions', {}, signer),
    give: (response, { signer }) => call('mfaStepUp', { response }, signer),
  },
  'the end of a binding': {
    ask: ({ signer }) => call('sessionBindingDisableOptions', {}, signer),
    give: (response, { signer }) => binding.unbind(signer, response),
  },
  'a renewal': {
    ask: ({ signer }) => call('sessionRenewOptions', renewing(signer), signer),
    give: async (response, { signer }) =>
      call('sessionRenewVerify', await withNewKey({ ...renewing(signer), response }), signer),
  },
}

/** What was asked for to make a passkey, signed by one that is there. */
const ofRegistration = ({ signer }: Owner) => call('passkeyRegisterOptions', {}, signer)

const signedFor = async (ask: Place['ask'], owner: Owner, by = owner.device) => {
  const { body } = await ask(owner)
  // An authenticator that lies signs whatever it is asked for.
  return by.sign({ ...body, rpId: body.rpId ?? body.rp.id, allowCredentials: [] })
}

const everywhere = Object.entries(places)

async function takenAt(given: typeof everywhere, response: object, owner: Owner) {
  const taken: [string, number][] = []
  for (const [name, { give }] of given) {
    const { status } = await give(response, owner)
    if (status !== 401) taken.push([name, status])
  }
  return taken
}

describe('what a passkey has signed', () => {
  let stranger: Owner
  beforeAll(async () => {
    stranger = await newOwner()
  })

  it.each(everywhere)('for %s is good for that alone, and once', async (name, place) => {
    const owner = await newOwner()
    const response = await signedFor(place.ask, owner)
    const others = everywhere.filter(([each]) => each !== name)
    expect(await takenAt(others, response, owner)).toEqual([])
    expect((await place.give(response, owner)).status).toBeLessThan(300)
    // What is ended already answers that, and takes nothing.
    await binding.bind(owner.signer)
    expect((await place.give(response, owner)).status).toBe(401)
  })

  it('to make another passkey is good nowhere', async () => {
    const owner = await newOwner()
    const response = await signedFor(ofRegistration, owner)
    expect(await takenAt(everywhere, response, owner)).toEqual([])
  })

  it.each(everywhere.slice(1))(
    'for %s is not taken from another user, whoever asked for it',
    async (_, place) => {
      const owner = await newOwner()
      const ofStranger = await signedFor(place.ask, owner, stranger.device)
      expect((await place.give(ofStranger, owner)).status).toBe(401)
      const askedByStranger = await signedFor(place.ask, stranger, owner.device)
      expect((await place.give(askedByStranger, owner)).status).toBe(401)
    },
  )

  it('by an unknown authenticator is refused by every operation', async () => {
    const unknown = createTestAuthenticator()
    unknown.register((await ofRegistration(stranger)).body)
    for (const [, { ask, give }] of everywhere) {
      const response = await signedFor(ask, stranger, unknown)
      expect((await give(response, stranger)).status).toBe(401)
    }
  })
})

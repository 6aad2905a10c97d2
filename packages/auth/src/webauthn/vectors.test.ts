import { describe, expect, it } from 'vitest'
import { challengeOf } from './client-data.ts'
import type { RelyingParty } from './relying-party.ts'
import { testVectors } from './testing/test-vectors.ts'
import { checkAssertion, checkRegistration } from './webauthn.ts'

type Vector = (typeof testVectors)[number]

const rp: RelyingParty = {
  id: 'example.org',
  name: 'Example',
  origins: ['https://example.org'],
  relatedOrigins: [],
  userVerification: 'preferred',
}
const framed = testVectors.filter(({ isFramed }) => isFramed)
const unframed = testVectors.filter(({ isFramed }) => !isFramed)

function registered({ credentialId, create }: Vector, by = rp) {
  const { challenge, clientDataJSON, attestationObject } = create
  const response = {
    ...named(credentialId),
    response: {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
    },
  }
  return checkRegistration(by, { response, challenge: base64url(challenge) })
}

async function passkeyOf(vector: Vector) {
  const passkey = await registered(vector)
  if (!passkey) throw new Error('It was refused.')
  return passkey
}

function responseOf({ credentialId, get }: Vector) {
  const { clientDataJSON, authenticatorData, signature } = get
  return {
    ...named(credentialId),
    response: {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
    },
  }
}

describe('the test vectors of WebAuthn Level 3', () => {
  it.each(unframed)('hold: $name', async (vector) => {
    const passkey = await passkeyOf(vector)
    expect(passkey).toMatchObject({ credentialId: base64url(vector.credentialId), counter: 0 })
    const response = responseOf(vector)
    const challenge = base64url(vector.get.challenge)
    expect(challengeOf(response)).toBe(challenge)
    const given = { response, challenge, passkey, userHandle: '' }
    expect(await checkAssertion(rp, given)).toMatchObject({ newCounter: 0 })

    for (const [part, turned] of turnedEnds(response.response)) {
      const mutated = { ...response, response: { ...response.response, [part]: turned } }
      expect(await checkAssertion(rp, { ...given, response: mutated }), part).toBeNull()
    }
    expect(await checkAssertion(rp, { ...given, isDiscoverable: true })).toBeNull()
  })

  it.each(unframed)('hold for their own relying party only: $name', async (vector) => {
    const passkey = await passkeyOf(vector)
    const given = {
      response: responseOf(vector),
      challenge: base64url(vector.get.challenge),
      passkey,
      userHandle: '',
    }
    const elsewhere: RelyingParty[] = [
      { ...rp, id: 'example.com' },
      { ...rp, origins: ['https://example.com'] },
    ]
    for (const other of elsewhere) {
      expect(await registered(vector, other)).toBeNull()
      expect(await checkAssertion(other, given)).toBeNull()
    }
  })

  it.each(framed)('are refused: $name', async (vector) => {
    expect(await registered(vector)).toBeNull()
    // The key stands last in what was registered, and signs as it should.
    const { attestationObject } = vector.create
    const key = attestationObject.slice(attestationObject.indexOf('a5010203262001'))
    const publicKey = base64url(key)
    const response = responseOf(vector)
    const stored = { counter: 0, transports: [], deviceType: 'multiDevice' as const }
    const passkey = { credentialId: response.id, publicKey, ...stored }
    const challenge = base64url(vector.get.challenge)
    expect(await checkAssertion(rp, { response, challenge, passkey, userHandle: '' })).toBeNull()
  })
})

function turnedEnds(parts: Record<string, string>) {
  return Object.entries(parts).map(([part, text]) => {
    const bytes = Buffer.from(text, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    return [part, bytes.toString('base64url')] as const
  })
}

function named(credentialId: string) {
  const id = base64url(credentialId)
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
}

function base64url(hex: string) {
  return Buffer.from(hex, 'hex').toString('base64url')
}

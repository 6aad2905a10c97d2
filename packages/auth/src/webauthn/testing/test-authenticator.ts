import { createHash, randomBytes } from 'node:crypto'
import type {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '../fields.ts'
import { cbor } from './test-cbor.ts'
import { createTestKey, type TestAlgorithm, type TestKey } from './test-keys.ts'

interface Traits {
  /** Where its browser is. */
  origin?: string
  /** The domain it signs for, even if it is asked for another. */
  rpId?: string
  hasUserVerification?: boolean
  /** A security key counts. A passkey that is synced between devices says zero. */
  counter?: 'counting' | 'zero'
  algorithm?: TestAlgorithm
}

/** What one response says instead of what it should. */
export interface TestLies {
  type?: string
  challenge?: string
  origin?: string
  crossOrigin?: boolean
  topOrigin?: string
  rpId?: string
  userPresent?: boolean
  userVerified?: boolean
  counter?: number
  /** Whether it may be synced between devices, and is. */
  backup?: { eligible: boolean; state: boolean }
  /** Bytes behind what it should say, signed with it. */
  behind?: Buffer
  /** It says that extensions follow. */
  hasExtensions?: boolean
  /** `null` leaves it out. */
  userHandle?: string | null
  /** Signs with this one, whichever is allowed. */
  credentialId?: string
}

interface Credential {
  id: string
  rpId: string
  userHandle: string
  counter: number
  key: TestKey
}

// The bits of section 6.1: a user is present, is verified; a passkey may be and is synced; a credential follows.
const bits = {
  present: 0x01,
  verified: 0x04,
  eligible: 0x08,
  synced: 0x10,
  credential: 0x40,
  extensions: 0x80,
}

/** A browser with an authenticator, in memory. What it signs is real. */
export function createTestAuthenticator(traits: Traits = {}): TestAuthenticator {
  return new TestAuthenticator(traits, [])
}

export class TestAuthenticator {
  readonly #traits: Traits
  readonly #credentials: Credential[]

  constructor(traits: Traits, credentials: Credential[]) {
    this.#traits = traits
    this.#credentials = credentials
  }

  /** `navigator.credentials.create` */
  register(options: CreationOptions, lies: TestLies = {}): RegistrationResponse {
    if (options.excludeCredentials.some(({ id }) => this.#find(id))) {
      throw new DOMException('It has one already.', 'InvalidStateError')
    }
    const credential = this.#create(options)
    const id = Buffer.from(credential.id, 'base64url')
    const attested = [Buffer.alloc(16), Buffer.from([0, id.length]), id, credential.key.publicKey]
    const authData = Buffer.concat([
      this.#authenticatorData(credential, lies, bits.credential),
      ...attested,
    ])
    return {
      ...named(credential),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, lies).toString('base64url'),
        attestationObject: cbor([
          ['fmt', 'none'],
          ['attStmt', []],
          ['authData', authData],
        ]).toString('base64url'),
        transports: this.#isSynced ? ['hybrid', 'internal'] : ['usb'],
      },
    }
  }

  /** `navigator.credentials.get` */
  sign(options: RequestOptions, lies: TestLies = {}): AuthenticationResponse {
    const credential = this.#choose(options, lies)
    if (!credential) throw new DOMException('It has none of these.', 'NotAllowedError')
    if (!this.#isSynced) credential.counter += 1
    const client = this.#clientData('webauthn.get', options, lies)
    const { behind = Buffer.alloc(0) } = lies
    const signed = Buffer.concat([this.#authenticatorData(credential, lies), behind])
    const signature = credential.key.sign(Buffer.concat([signed, sha256(client)]))
    const { userHandle = credential.userHandle } = lies
    return {
      ...named(credential),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: signed.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== null && { userHandle }),
      },
    }
  }

  /** The same keys in other hands, which count for themselves. */
  clone() {
    const copies = this.#credentials.map((credential) => ({ ...credential }))
    return new TestAuthenticator(this.#traits, copies)
  }

  get #isSynced() {
    return this.#traits.counter === 'zero'
  }

  #create(options: CreationOptions) {
    const key = createTestKey(this.#traits.algorithm ?? 'ES256')
    if (!options.pubKeyCredParams.some(({ alg }) => alg === key.alg)) {
      throw new DOMException('It has no such keys.', 'NotSupportedError')
    }
    const credential = {
      id: randomBytes(32).toString('base64url'),
      rpId: options.rp.id,
      userHandle: options.user.id,
      counter: this.#isSynced ? 0 : 1,
      key,
    }
    this.#credentials.push(credential)
    return credential
  }

  #choose({ rpId, allowCredentials }: RequestOptions, { credentialId }: TestLies) {
    if (credentialId) return this.#find(credentialId)
    if (allowCredentials.length > 0) {
      return allowCredentials.map(({ id }) => this.#find(id)).find(Boolean)
    }
    return this.#credentials.findLast((credential) => credential.rpId === rpId)
  }

  #find(id: string) {
    return this.#credentials.find((credential) => credential.id === id)
  }

  #clientData(type: string, { challenge }: { challenge: string }, lies: TestLies) {
    const origin = this.#traits.origin ?? 'http://localhost:3790'
    const told = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false,
      topOrigin: lies.topOrigin,
    }
    return Buffer.from(JSON.stringify(told))
  }

  #authenticatorData({ rpId, counter }: Credential, lies: TestLies, more = 0) {
    const { rpId: own = rpId, hasUserVerification = true } = this.#traits
    const { userPresent = true, userVerified = hasUserVerification } = lies
    const { backup = { eligible: this.#isSynced, state: this.#isSynced } } = lies
    const flags =
      more |
      (userPresent ? bits.present : 0) |
      (userVerified ? bits.verified : 0) |
      (backup.eligible ? bits.eligible : 0) |
      (backup.state ? bits.synced : 0) |
      (lies.hasExtensions ? bits.extensions : 0)
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(lies.counter ?? counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? own), rest])
  }
}

function named({ id }: Credential) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
}

function sha256(data: string | Buffer) {
  return createHash('sha256').update(data).digest()
}

import type { Tx } from '@svc/core'
import type { EntitledAccount, LockedAccount } from '../accounts/accounts.ts'
import type { KeyBinding, RequestOrigin } from '../caller/caller.ts'
import type { DeviceKeyMaterial } from '../crypto/crypto.ts'
import type { NewDeviceKey } from './fields.ts'
import type { LoginResult } from './login-result.ts'

/** A new key after `checkNewKey`: valid material, and a name that can be stored and shown. */
export interface CheckedKey extends DeviceKeyMaterial {
  readonly keyId: string
  readonly deviceName?: string | undefined
  readonly platform?: NewDeviceKey['platform'] | undefined
}

export interface Registration {
  /** Locked in this transaction, and compared with the generation that the credential was checked against. */
  account: EntitledAccount
  key: CheckedKey
  origin: RequestOrigin
  /** The operation that registers it, as `auth.device.registered` names it. */
  channel: string
  /** It signs nothing until the second factor is proved. */
  isPending?: boolean
  /** What it takes over from the key in whose place it comes. */
  succeeds?: KeyLife
  /** The id by which its browser is already known, if the key replaces another. */
  knownId?: string | null
  /** Of a machine's: what it may do of what its owner may. A device's has none. */
  permissions?: readonly string[] | null
  /** Of a support session's: the operator whose it is, and the key of theirs that opens it. */
  operator?: { readonly userId: string; readonly keyId: string }
  now: Date
}

/**
 * How long a key signs, when its owner last signed in, and which key let it in. A rotation must not extend the life of
 * a bound key, must not count as a recent sign-in, and must not separate a key from the one that let it in.
 */
export interface KeyLife {
  binding: KeyBinding | null
  expiresAt: Date
  authenticatedAt: Date
  /** Null if a sign-in registered the key. */
  madeByKeyId: string | null
}

/** A sign-in whose first credential was checked. */
export interface SignIn {
  userId: string
  /** The account's generation when the credential was checked. */
  generation: number
  key: CheckedKey
  origin: RequestOrigin
  /** How the account proved itself, as `auth.login` names it. */
  provider: string
  /** The operation, as `auth.device.registered` names it. */
  channel: string
  /** Whether what has been proved is worth two factors. */
  secondFactor?: 'waived' | 'proved'
  /** What the key takes over from the one in whose place it comes. */
  succeeds?: KeyLife
  /** The key that lets it in: who revokes that one ends the new one with it. Not beside `succeeds`, which says it too. */
  letInBy?: string | null
  /** The account was opened by this very sign-in. */
  isNewUser?: boolean
  now: Date
}

/** What ends everything that could act as an account. */
export interface AccountWideRevocation {
  account: LockedAccount
  /** The key that stays, where the owner's own device goes on. */
  spare: string | null
  /** This device has proved the second factor for this revocation, and keeps that proof. */
  keepsProof?: boolean
  reason: string
  now: Date
}

/** What `registerKey` answers. */
export interface Registered {
  readonly keyId: string
  readonly expiresAt: Date
  readonly knownId: string | null
  /** False for a live key that was registered again. */
  readonly isNew: boolean
}

/**
 * The ways in and out of an account, for a capability. Each is the only place of its kind: there is no other way to put
 * a key under an account, to sign in to it, or to end what acts as it. The fourth, `admit`, stands before an
 * operation by its access.
 */
export interface Ways {
  /** In the transaction that spends the credential. It asks for the second factor where that is due. */
  completeSignIn(tx: Tx, signIn: Omit<SignIn, 'channel'>): Promise<LoginResult>
  /** Takes an account that the transaction has locked. */
  registerKey(tx: Tx, registration: Omit<Registration, 'channel'>): Promise<Registered>
  /** Answers the ids of the keys that have ended. */
  signOutEverywhere(tx: Tx, revocation: AccountWideRevocation): Promise<string[]>
}

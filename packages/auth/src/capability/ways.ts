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

/** A key for `registerKey`, and the account that gets it. */
export interface Registration {
  /**
   * Locked in this transaction, and compared with the generation that the credential was checked
   * against.
   */
  account: EntitledAccount
  key: CheckedKey
  origin: RequestOrigin
  /** The operation that registers it, as `auth.device.registered` names it. */
  channel: string
  /** The way of the sign-in that registers it. Not with `succeeds`, which says it too. */
  way?: string
  /** It signs nothing until the second factor is proved. */
  isPending?: boolean
  /** What it inherits from the key that it replaces. */
  succeeds?: KeyLife
  /** The id by which its browser is already known, if the key replaces another. */
  knownId?: string | null
  /** For a machine's key: the permissions that it has of its owner's. Null for a device's. */
  permissions?: readonly string[] | null
  /** For a support session's key: its operator, and the operator's key that opens it. */
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
  /** The last sign-in, and its way. Null for a key that has not signed in. */
  signedInAt?: Date | null
  signedInBy?: string | null
  /** The longest time since then in which it was not used. */
  unusedSeconds?: number | null
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
  /**
   * The way, as a policy of an organization names it: `password`, `code` or `passkey`. The `provider` unless set, because
   * `email` says not whether by a password or by a code.
   */
  way?: string
  /** The operation, as `auth.device.registered` names it. */
  channel: string
  /** Whether the credential counts as two factors. */
  secondFactor?: 'waived' | 'proved'
  /** What the key inherits from the one that it replaces. */
  succeeds?: KeyLife
  /**
   * The key that lets it in: revoking that one ends the new one too. Not with `succeeds`, which
   * says it too.
   */
  letInBy?: string | null
  /** The account was opened by this very sign-in. */
  isNewUser?: boolean
  now: Date
}

/** What to revoke, so that nothing can act as an account any more. */
export interface AccountWideRevocation {
  account: LockedAccount
  /** The key that stays, if the owner's own device goes on. */
  spare: string | null
  /** This device has proved the second factor for this revocation, and keeps that proof. */
  keepsProof?: boolean
  reason: string
  now: Date
}

/** What `registerKey` returns. */
export interface Registered {
  readonly keyId: string
  readonly expiresAt: Date
  readonly knownId: string | null
  /** False if a live key was registered again. */
  readonly isNew: boolean
}

/**
 * The ways into and out of an account, for a capability. No other function registers a key under an
 * account, signs in to it, or ends everything that acts as it. A fourth one, `admit`, guards an
 * operation by its access.
 */
export interface Ways {
  /**
   * Runs in the transaction that spends the credential. It asks for the second factor if one is
   * required.
   */
  completeSignIn(tx: Tx, signIn: Omit<SignIn, 'channel'>): Promise<LoginResult>
  /** Takes an account that the transaction has locked. */
  registerKey(tx: Tx, registration: Omit<Registration, 'channel'>): Promise<Registered>
  /** Returns the ids of the keys that have ended. */
  signOutEverywhere(tx: Tx, revocation: AccountWideRevocation): Promise<string[]>
}

import type { Tx } from '@svc/core'
import {
  changeProfile,
  createAccount,
  deleteAccount,
  lockAccount,
  type ServiceAccount,
} from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import { listKeys, revokeEveryKey, revokeKeyOf } from '../keys/keys.ts'
import { isUuid } from '../pg-schema.ts'
import { keysRevoked } from '../streams/streams.ts'
import { registerMachine } from './register-machine.ts'

/** Opens an account of programs. Its capability stores which tenant it belongs to, in the same transaction. */
export async function createServiceAccount(
  tx: Tx,
  { name, now }: { name: string; now: Date },
): Promise<ServiceAccount> {
  const account = { displayName: name, isService: true, passwordHash: null, role: 'user', now }
  const created = await createAccount(tx, account)
  if (!created) throw new Error('An account with an id that was just drawn exists.')
  return created as ServiceAccount
}

/** Locks an account of programs. Null if there is none: a person's account is never returned. */
export async function lockServiceAccount(tx: Tx, userId: string): Promise<ServiceAccount | null> {
  const account = isUuid(userId) ? await lockAccount(tx, userId) : null
  return account?.isService ? (account as ServiceAccount) : null
}

/** Changes what an account of programs is called. */
export const renameServiceAccount = (tx: Tx, account: ServiceAccount, name: string) =>
  changeProfile(tx, account, { displayName: name })

/** A key for an account of programs, and the member who adds it. */
export interface NewServiceKey {
  readonly account: ServiceAccount
  /** The member who adds it, locked with `lockFresh`. Lock the two accounts in the order of their ids. */
  readonly caller: FreshCaller
  /** As `checkNewKey` returns it. */
  readonly key: CheckedKey
  readonly expiresInDays?: number | undefined
  /** The operation. */
  readonly channel: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/**
 * Registers the key of a program under an account of programs. It has no permission of the application, and stays when
 * the member or the device that added it is gone.
 */
export function registerServiceKey(
  tx: Tx,
  { caller: { userId: actor }, ...machine }: NewServiceKey,
) {
  return registerMachine(tx, { ...machine, permissions: [], madeByKeyId: null, actor })
}

/** The keys that are not revoked. */
export async function listServiceKeys(auth: Needs<'db' | 'clock' | 'parts'>, userId: string) {
  // No key of a program lets anything in, so the generation does not matter.
  const { keys } = await listKeys(auth, { userId, generation: 0 })
  return keys
}

interface Ending {
  readonly account: ServiceAccount
  readonly keyId: string
  readonly actor: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** Ends one key, or the key that has replaced it. It throws if the account never had it. */
export async function revokeServiceKey(tx: Tx, auth: Needs<'parts'>, ending: Ending) {
  await revokeKeyOf(tx, auth, ending)
}

/** Ends every key of an account of programs, and deletes the account. */
export async function endServiceAccount(
  tx: Tx,
  { parts }: Needs<'parts'>,
  { account, now }: { account: ServiceAccount; now: Date },
) {
  const { userId } = account
  const reason = 'deleted'
  const ended = await revokeEveryKey(tx, { userIds: [userId], spare: null, reason, now })
  await parts.forget(tx, account)
  await deleteAccount(tx, account)
  const keyIds = ended.map(({ keyId }) => keyId)
  if (keyIds.length > 0) await keysRevoked.emit({ userId, keyIds, reason })
}

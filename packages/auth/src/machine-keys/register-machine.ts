import { ConflictError, type Tx } from '@svc/core'
import type { EntitledAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey, KeyLife } from '../capability/capability.ts'
import type { KeyListItem } from '../capability/fields.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { countMachines, keyItem, registerKey } from '../keys/keys.ts'

interface Machine {
  readonly account: EntitledAccount
  readonly key: CheckedKey
  readonly permissions: readonly string[]
  readonly expiresInDays?: number | undefined
  /** The operation. */
  readonly channel: string
  /** The key that it ends with. Null for a machine that stays when the device which added it is revoked. */
  readonly madeByKeyId: string | null
  readonly actor: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** Puts the key of a program under an account that the transaction has locked. */
export async function registerMachine(tx: Tx, machine: Machine): Promise<KeyListItem> {
  const { account, key, permissions, expiresInDays, channel, madeByKeyId, origin, now } = machine
  const { userId } = account
  if ((await countMachines(tx, { userId, now })) >= mostMachines) throw tooManyMachines()
  const succeeds = { ...machineLife(now, expiresInDays), madeByKeyId }
  const registration = { account, key, origin, channel, succeeds, permissions, now }
  const registered = await registerKey(tx, registration)
  // An existing key stays as it is: a second call must change neither its permissions nor its
  // end.
  if (!registered.isNew) throw new KeyIdAlreadyRegisteredError()
  const item = keyItem(registered, now)
  await recordAudit(tx, {
    act: 'key.machine.created',
    actor: machine.actor,
    target: item.keyId,
    details: { permissions: item.permissions, ...(machine.actor !== userId && { userId }) },
    origin,
    at: now,
  })
  return item
}

// As many as devices. A new key does not end an old one, because a program would stop without its
// owner noticing.
const mostMachines = 100

function tooManyMachines() {
  const message = `An account can have at most ${mostMachines} machine keys. Revoke one first.`
  return new ConflictError({ message })
}

const usualDays = 90
const dayMillis = 86_400_000

function machineLife(now: Date, expiresInDays = usualDays): Omit<KeyLife, 'madeByKeyId'> {
  const expiresAt = new Date(now.getTime() + expiresInDays * dayMillis)
  return { binding: null, expiresAt, authenticatedAt: now }
}

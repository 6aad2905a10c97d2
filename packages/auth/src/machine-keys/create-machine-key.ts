import { ConflictError, type Tx, ValidationError } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { Author, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { KeyLife } from '../capability/capability.ts'
import type { KeyListItem, NewDeviceKey } from '../capability/fields.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey, countMachines, keyItem, registerKey } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'

interface NewMachine extends NewDeviceKey {
  permissions: readonly string[]
  expiresInDays?: number | undefined
}

type CreationNeeds = Needs<'db' | 'clock' | 'limits' | 'env' | 'appUrl' | 'notifier' | 'log'>

interface Creation {
  caller: FreshCaller
  body: NewMachine
  origin: RequestOrigin
}

const act = 'key.machine.created'

/**
 * Registers a program's key under the caller's account. The program has made it, and keeps its
 * private half.
 */
export async function createMachineKey(auth: CreationNeeds, { caller, body, origin }: Creation) {
  const { userId } = caller
  const { expiresInDays } = body
  const key = checkNewKey(body)
  const permissions = chosen(body.permissions, caller)
  refuseKeyless(caller)
  await auth.limits.take('machine key by account', userId)
  const now = auth.clock.now()
  return inTransaction(auth.db, async (tx) => {
    const account = await lockFresh(tx, caller)
    if ((await countMachines(tx, { userId, now })) >= mostMachines) throw tooManyMachines()
    const succeeds = { ...machineLife(now, expiresInDays), madeByKeyId: caller.keyId }
    const machine = {
      account,
      key,
      origin,
      channel: 'createMachineKey',
      succeeds,
      permissions,
      now,
    }
    const registered = await registerKey(tx, machine)
    // An existing key stays as it is: a second call must change neither its permissions nor its
    // end.
    if (!registered.isNew) throw new KeyIdAlreadyRegisteredError()
    const item = keyItem(registered, now)
    await recordCreation(tx, item, { actor: userId, origin, at: now })
    await tellOwner(tx, auth, { item, userId, expiresAt: succeeds.expiresAt })
    return item
  })
}

// As many as devices. A new key does not end an old one, because a program would stop without its
// owner noticing.
const mostMachines = 100

function tooManyMachines() {
  const message = `An account can have at most ${mostMachines} machine keys. Revoke one first.`
  return new ConflictError({ message })
}

function recordCreation(tx: Tx, item: KeyListItem, by: Author & { at: Date }) {
  const { keyId: target, permissions } = item
  return recordAudit(tx, { act, ...by, target, details: { permissions } })
}

async function tellOwner(
  tx: Tx,
  auth: CreationNeeds,
  { item, userId, expiresAt }: { item: KeyListItem; userId: string; expiresAt: Date },
) {
  const { deviceName, fingerprintPrefix, createdAtMillis } = item
  const facts = {
    deviceName,
    fingerprintPrefix,
    expiresAt: expiresAt.toISOString(),
    at: new Date(createdAtMillis).toISOString(),
    url: securityPage(auth),
  }
  await sendNotice(tx, auth, { userId, template: 'machine-key-added', facts })
}

/**
 * Users can't give permissions that they don't have. If the owner later loses one, so does the
 * machine.
 */
function chosen(given: readonly string[], { permissions }: Pick<FreshCaller, 'permissions'>) {
  if (given.every((name) => permissions.includes(name))) return [...new Set(given)].toSorted()
  const message = 'Choose only permissions that your account has.'
  throw new ValidationError({ fields: [{ path: 'body.permissions', message }] })
}

const usualDays = 90
const dayMillis = 86_400_000

function machineLife(now: Date, expiresInDays = usualDays): Omit<KeyLife, 'madeByKeyId'> {
  const expiresAt = new Date(now.getTime() + expiresInDays * dayMillis)
  return { binding: null, expiresAt, authenticatedAt: now }
}

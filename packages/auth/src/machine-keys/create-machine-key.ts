import { type Tx, ValidationError } from '@svc/core'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { KeyListItem, NewDeviceKey } from '../capability/fields.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { registerMachine } from './register-machine.ts'

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
    const item = await registerMachine(tx, {
      account,
      key,
      permissions,
      expiresInDays,
      channel: 'createMachineKey',
      madeByKeyId: caller.keyId,
      actor: userId,
      origin,
      now,
    })
    await tellOwner(tx, auth, { item, userId })
    return item
  })
}

async function tellOwner(
  tx: Tx,
  auth: CreationNeeds,
  { item, userId }: { item: KeyListItem; userId: string },
) {
  const { deviceName, fingerprintPrefix, createdAtMillis, expiresAtMillis = 0 } = item
  const facts = {
    deviceName,
    fingerprintPrefix,
    expiresAt: new Date(expiresAtMillis).toISOString(),
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

import { ConflictError, ForbiddenError, type Tx, ValidationError } from '@svc/core'
import { heldRoles, type LockedAccount, readProfile } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { readAccount, refuseKeyless } from '../authenticate/authenticate.ts'
import { type FreshCaller, hasMore, type RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { displayText } from '../display-text.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey, registerKey } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { lockBelow, refuseLost, superadmin } from '../roles/roles.ts'
import { supportOpenedEvent } from './events.ts'
import type { SupportHeld } from './held.ts'
import { spendCode, tryCode } from './support-code.ts'

interface NewSession extends NewDeviceKey {
  userId: string
  reason: string
  minutes?: number | undefined
  code?: string | undefined
}

interface Opening {
  caller: FreshCaller
  body: NewSession
  origin: RequestOrigin
}

const usualMinutes = 30

/** Puts a key under an account with which an operator acts as its owner. The operator's device has made it. */
export async function openSupportSession(auth: SupportHeld, { caller, body, origin }: Opening) {
  const { userId: actor } = caller
  const checked = checkNewKey(body)
  const reason = readReason(body)
  refuseKeyless(caller)
  await auth.limits.take('support session by account', actor)
  const now = auth.clock.now()
  const expiresAt = new Date(now.getTime() + (body.minutes ?? usualMinutes) * 60_000)
  const asksForCode = auth.consent === 'code'
  await inTransaction(auth.db, async (tx) => void (await lockBelow(tx, caller, body.userId)))
  // Counted outside of the transaction, which a refusal undoes.
  const hash = asksForCode ? await tryCode(auth, { ...body, now }) : null
  return inTransaction(auth.db, async (tx) => {
    const account = await lockBelow(tx, caller, body.userId)
    await lockFresh(tx, caller)
    await refuseLost(tx, caller)
    await refuseAccount(tx, account)
    await refuseMore(tx, auth, { userId: account.userId, actor })
    if (asksForCode) await spendCode(tx, { userId: account.userId, hash, now })
    const operator = await nameOf(tx, actor)
    const key = { ...checked, deviceName: operator, platform: undefined }
    await putKey(tx, { account, key, expiresAt, caller, origin, now })
    await tell(tx, auth, { account, key, operator, actor, reason, expiresAt, origin, now })
    return { keyId: key.keyId, userId: account.userId, expiresAtMillis: expiresAt.getTime() }
  })
}

function readReason({ reason }: NewSession) {
  const text = displayText(reason, 500)
  if (text !== null) return text
  const message = 'Give a reason, for the owner and the audit trail.'
  throw new ValidationError({ fields: [{ path: 'body.reason', message }] })
}

/** Beside those that rank too high. No operator acts with every permission there is, not even a superadmin. */
async function refuseAccount(tx: Tx, account: LockedAccount) {
  const isActive = account.status === 'active'
  if (!isActive) throw new ConflictError({ message: 'The account is not active.' })
  // It has no owner to help, and what it may do was chosen for programs.
  if (account.isService) throw new ForbiddenError({ message: 'The account is of programs.' })
  const held = await heldRoles(tx, account)
  const isSuperadmin = held.some(({ name }) => name === superadmin)
  if (isSuperadmin) throw new ForbiddenError({ message: 'No operator can act as a superadmin.' })
}

async function refuseMore(
  tx: Tx,
  { rolesAtGates }: Pick<SupportHeld, 'rolesAtGates'>,
  { userId, actor }: { userId: string; actor: string },
) {
  const [owner, operator] = [await readAccount(tx, userId), await readAccount(tx, actor)]
  const isRefused = !owner || !operator || hasMore(owner, operator, rolesAtGates)
  if (isRefused) throw new ForbiddenError({ message: 'The account may do what you may not.' })
}

/** What the owner's device list calls the session. */
async function nameOf(tx: Tx, userId: string) {
  const found = await readProfile(tx, userId)
  return displayText(found?.profile.displayName ?? undefined, 64) ?? undefined
}

interface NewKey {
  account: LockedAccount
  key: CheckedKey
  expiresAt: Date
  caller: FreshCaller
  origin: RequestOrigin
  now: Date
}

async function putKey(tx: Tx, { account, key, expiresAt, caller, origin, now }: NewKey) {
  const { userId, keyId } = caller
  const registered = await registerKey(tx, {
    account,
    key,
    origin,
    channel: 'openSupportSession',
    operator: { userId, keyId },
    succeeds: { binding: null, expiresAt, authenticatedAt: now, madeByKeyId: null },
    now,
  })
  // A session has a key of its own: it is no other one's again, and its end does not move.
  if (!registered.isNew) throw new KeyIdAlreadyRegisteredError()
}

interface Opened {
  account: LockedAccount
  key: CheckedKey
  actor: string
  /** What the operator calls themselves. */
  operator: string | undefined
  reason: string
  expiresAt: Date
  origin: RequestOrigin
  now: Date
}

async function tell(tx: Tx, auth: SupportHeld, opened: Opened) {
  const { account, key, actor, operator, reason, expiresAt, origin, now } = opened
  const { userId } = account
  const { keyId } = key
  const details = { keyId, reason, expiresAt: expiresAt.toISOString() }
  await recordAudit(tx, { act: 'support.opened', actor, target: userId, details, origin, at: now })
  const facts = {
    operator,
    reason,
    expiresAt: expiresAt.toISOString(),
    at: now.toISOString(),
    url: securityPage(auth),
  }
  await sendNotice(tx, auth, { userId, template: 'support-opened', facts })
  const expiresAtMillis = expiresAt.getTime()
  await supportOpenedEvent.emit({
    userId,
    actor,
    ...(operator !== undefined && { operator }),
    keyId,
    reason,
    expiresAtMillis,
  })
}

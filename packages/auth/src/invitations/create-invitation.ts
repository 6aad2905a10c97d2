import { randomUUID } from 'node:crypto'
import { ConflictError, type Tx } from '@svc/core'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { findAccount } from '../accounts/find-account.ts'
import { normaliseEmail } from '../accounts/identifier.ts'
import { refuseLargeMetadata } from '../accounts/metadata.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { ProvableCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { invitationCreatedEvent } from '../events.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { RoleNotFoundError } from '../roles/errors.ts'
import { holdRole } from '../roles/hold-role.ts'
import { InvitationAlreadyExistsError } from './errors.ts'
import { type GrantedRole, grantRole } from './grant.ts'
import { invited } from './invitation-item.ts'
import * as store from './store.ts'

export interface InvitationBody {
  email: string
  role: string
  expiresInDays?: number | undefined
  metadata?: Record<string, unknown> | undefined
}

interface Request {
  caller: ProvableCaller
  body: InvitationBody
  origin: RequestOrigin
}

type CreateNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail'>

/** Invites an address. The token of its link is minted by whoever mails it, and by nobody here. */
export async function createInvitation(auth: CreateNeeds, { caller, body, origin }: Request) {
  const { db, clock, limits, linkMail } = auth
  const email = normaliseEmail(body.email)
  refuseLargeMetadata(body.metadata, 'kept')
  await limits.take('invitation by account', caller.userId)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const granted = await holdGrantable(tx, auth, { name: body.role, caller })
    const row = { ...newRow(body, now), email, ...by(caller) }
    const invitation = await insert(tx, granted, row)
    const { invitationId, role } = invitation
    const done = { target: invitationId, details: { role }, origin, at: now }
    await recordAudit(tx, { act: 'invitation.created', actor: userId, ...done })
    await invitationCreatedEvent.emit({ invitationId, invitedBy: userId })
    await linkMail.order(tx, { kind: 'invitation', id: invitationId })
    return invited(invitation)
  })
}

const usualDays = 7
const dayMillis = 86_400_000

function newRow({ expiresInDays = usualDays, metadata }: InvitationBody, now: Date) {
  const expiresAt = new Date(now.getTime() + expiresInDays * dayMillis)
  return { metadata, createdAt: now, expiresAt }
}

const by = ({ userId, locale }: ProvableCaller) => ({ invitedBy: userId, locale })

/** Nobody deletes or renames the role until this transaction ends, or gives the caller, who is locked, another one. */
async function holdGrantable(
  tx: Tx,
  auth: Needs<'clock' | 'env'>,
  { name, caller }: { name: string; caller: ProvableCaller },
) {
  const role = await holdRole(tx, name)
  if (!role) throw new RoleNotFoundError()
  return grantRole(tx, auth, { caller, role, operation: 'createInvitation' })
}

type NewInvitation = Omit<store.NewInvitation, 'invitationId' | 'state'>

async function insert(tx: Tx, role: GrantedRole, row: NewInvitation) {
  const { email, createdAt } = row
  if (await findAccount(tx, { type: 'email', value: email })) throw new AccountAlreadyExistsError()
  await store.closeExpired(tx, email, createdAt)
  const given = { ...row, invitationId: randomUUID(), state: 'pending' as const }
  const inserted = await store.insert(tx, role, given)
  if (!inserted) throw await alreadyInvited(tx, row)
  return inserted
}

/** Names the invitation that is there: whoever asks again, without having heard the answer, has it then. */
async function alreadyInvited(tx: Tx, { email, createdAt }: NewInvitation) {
  const open = await store.findOpen(tx, email, createdAt)
  // Accepted or cancelled in this very moment.
  return open ? new InvitationAlreadyExistsError(open) : new ConflictError()
}

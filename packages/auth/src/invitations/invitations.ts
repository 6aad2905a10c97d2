import { randomUUID } from 'node:crypto'
import { ConflictError, type Db, ForbiddenError, type HandlerContext, type Tx } from '@svc/core'
import {
  findAccount,
  normaliseEmail,
  readProfile,
  refuseLargeMetadata,
} from '../accounts/accounts.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { authOf, type Needs } from '../auth.ts'
import {
  getAuth,
  type ProvableCaller,
  type RequestOrigin,
  refuseSupport,
  requestOrigin,
} from '../caller/caller.ts'
import { asProvable } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller } from '../keys/keys.ts'
import { mintLink } from '../links/links.ts'
import { RoleNotFoundError } from '../roles/errors.ts'
import { findRole, holdRole } from '../roles/roles.ts'
import type { InvitationEnv } from './env.ts'
import { InvitationAlreadyExistsError } from './errors.ts'
import { invitationCreatedEvent } from './events.ts'
import { type GrantedRole, grantRole } from './grant.ts'
import { invited } from './manage-invitations.ts'
import * as store from './store.ts'

interface InvitationBody {
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

type CreateNeeds = Needs<
  'db' | 'clock' | 'env' | 'configuration' | 'rolesAtGates' | 'limits' | 'linkMail'
>

/** Invites an address. The job that mails the link makes its token, not this function. */
export async function createInvitation(auth: CreateNeeds, request: Request) {
  const { caller, body } = request
  const email = normaliseEmail(body.email)
  refuseLargeMetadata(body.metadata, 'kept')
  await auth.limits.take('invitation by account', caller.userId)
  return inviteAddress(auth, { ...request, email })
}

/**
 * The same for an address in the form that is stored, one of many in a call that was counted as
 * one.
 */
export async function inviteAddress(
  auth: Omit<CreateNeeds, 'limits'>,
  { caller, body, email, origin }: Request & { email: string },
) {
  const { db, clock, linkMail } = auth
  const now = clock.now()
  return inTransaction(db, async (tx) => {
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

/**
 * Until this transaction ends, the role can't be deleted or renamed, and the caller, whose account
 * is locked, can't get another one.
 */
async function holdGrantable(
  tx: Tx,
  auth: Needs<'clock' | 'env' | 'configuration' | 'rolesAtGates'>,
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

/** Names the existing invitation, for a client that retries because it lost the response. */
async function alreadyInvited(tx: Tx, { email, createdAt }: NewInvitation) {
  const open = await store.findOpen(tx, email, createdAt)
  // It was accepted or cancelled just now.
  return open ? new InvitationAlreadyExistsError(open) : new ConflictError()
}

/**
 * What `createInvitation` does, for a route or a tool of the application: it invites as the caller
 * of the request.
 */
export async function inviteUser(c: Pick<HandlerContext, 'raw'>, body: InvitationBody) {
  const caller = getAuth(c.raw)
  refuseSupport(caller)
  // Programs were not checked so far: one may have fewer permissions than its owner.
  if (!caller.permissions.includes('user:invite')) throw new ForbiddenError()
  const request = { caller: asProvable(caller), body, origin: requestOrigin(c.raw) }
  return createInvitation(authOf(c.raw.server), request)
}

type MailNeeds = Needs<'db' | 'clock' | 'notifier' | 'appUrl'> & { env: InvitationEnv }

/**
 * Mints an invitation's token and mails its link. A retry mints another, because the first may
 * never have arrived.
 */
export async function mailInvitation(auth: MailNeeds, invitationId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const wanted = await store.findPending(db, invitationId, now)
  if (!wanted) return
  const { email, locale, expiresAt } = wanted
  const role = await findRole(db, wanted.role)
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_INVITATION_CONFIRM_PATH)
  if (!(await store.issue(db, invitationId, { tokenHash, now }))) return
  await notifier.send({
    channel: 'mail',
    to: email,
    locale: locale ?? undefined,
    template: 'invitation',
    facts: {
      url,
      role: role?.displayName ?? wanted.role,
      invitedBy: await nameOf(db, wanted.invitedBy),
      expiresInDays: Math.ceil((expiresAt.getTime() - now.getTime()) / dayMillis),
    },
  })
}

async function nameOf(db: Db, userId: string | null) {
  const found = userId === null ? null : await readProfile(db, userId)
  return found?.profile.displayName ?? found?.account.email ?? undefined
}

import type { NewDeviceKey } from '@svc/auth/contract'
import {
  checkNewKey,
  createServiceAccount,
  endServiceAccount,
  type FreshCaller,
  listServiceKeys,
  lockAccount,
  lockFresh,
  lockServiceAccount,
  readMakers,
  readNames,
  readServiceUses,
  registerServiceKey,
  renameServiceAccount,
  revokeServiceKey,
  type ServiceAccount,
  type ServiceAgent,
  type Standing,
} from '@svc/auth/server'
import { type Db, type Tx, ValidationError } from '@svc/core'
import type { OutputOf } from '@svc/core/contract'
import { OrganizationFullError, ServiceAccountNotFoundError } from '../membership/errors.ts'
import { memberChanged } from '../membership/events.ts'
import {
  type By,
  type Changer,
  change,
  findProgram,
  membersAmong,
  nameIn,
  note,
  type OrganizationAct,
  type OrganizationHeld,
  refuseGreaterMember,
  refuseGreaterRoles,
} from '../membership/membership.ts'
import * as store from './store.ts'

export { granteesOf } from './grantees.ts'
export { forgetProgram } from './store.ts'

const permission = 'machine:manage'
interface Asked {
  readonly standing: Standing
  readonly by: By
}

interface OfOne extends Asked {
  readonly userId: string
}

/** It belongs to the organization: it stays when the member who made it has left. */
export async function createAccount(
  auth: OrganizationHeld,
  { name, ...given }: { name: string; roles: readonly string[] },
  asked: Asked,
) {
  const roles = checkRoles(given.roles)
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    await refuseGreaterRoles(auth, tx, { me, roles })
    if ((await store.programsOf(tx, organizationId)).length >= store.mostAccounts) {
      throw new OrganizationFullError()
    }
    const now = auth.clock.now()
    const { userId } = await createServiceAccount(tx, { name, now })
    const program = { userId, roles, createdAt: now }
    await store.insertProgram(tx, { organizationId, ...program })
    await told(auth, tx, 'organization.service_account_created', { me, userId, details: { roles } })
    return { ...program, name, createdAt: now.toISOString() }
  })
}

/** An owner can open the organization again and hand it over. That is for people. */
function checkRoles(roles: readonly string[]) {
  if (!roles.includes('owner')) return [...new Set(roles)]
  const message = 'A service account can’t be an owner. Choose another role.'
  throw new ValidationError({ fields: [{ path: 'body.roles', message }] })
}

export async function listAccounts({ db }: OrganizationHeld, { id }: Standing) {
  const programs = await store.programsOf(db, id)
  const userIds = programs.map(({ userId }) => userId)
  const [names, uses, makers] = await Promise.all([
    namesOf(db, programs),
    readServiceUses(db, userIds),
    makersOf(db, id, programs),
  ])
  return programs.map(({ createdAt, ...program }) => {
    const { keys = 0, agent, lastUsedAt } = uses.get(program.userId) ?? {}
    const madeByName = makers(program.userId)
    return {
      ...program,
      name: names(program.userId),
      createdAt: createdAt.toISOString(),
      keys,
      ...(agent && { agent: shownAgent(agent) }),
      ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
      ...(madeByName && { madeByName }),
    }
  })
}

const shownAgent = ({ clientId, redirectHost, scopes }: ServiceAgent) => ({
  clientId,
  redirectHost,
  scopes: [...scopes],
})

const making = ['organization.service_account_created', 'organization.agent_connected']

/** The names of the members who have made them, as long as the trail has it. */
async function makersOf(db: Db, organizationId: string, programs: readonly Program[]) {
  const made = programs.map(({ userId: target, createdAt: at }) => ({ target, at }))
  const makers = await readMakers(db, { organizationId, acts: making, made })
  const here = await membersAmong(db, organizationId, [...new Set(makers.values())])
  const names = await readNames(db, here)
  return (userId: string) => nameIn(names, makers.get(userId))
}

interface Program {
  readonly userId: string
  readonly createdAt: Date
}

async function namesOf(db: Db, programs: readonly { userId: string }[]) {
  const names = await readNames(
    db,
    programs.map(({ userId }) => userId),
  )
  return (userId: string) => names.get(userId)?.displayName ?? null
}

interface Changes {
  readonly name?: string | undefined
  readonly roles?: readonly string[] | undefined
}

export async function updateAccount(auth: OrganizationHeld, changes: Changes, asked: OfOne) {
  const { userId } = asked
  return changeOne(auth, asked, async (tx, { me, account, program }) => {
    const roles = changes.roles === undefined ? program.roles : checkRoles(changes.roles)
    if (changes.roles !== undefined) {
      await refuseGreaterRoles(auth, tx, { me, roles })
      await store.setProgramRoles(tx, { organizationId: me.organizationId, userId }, roles)
    }
    if (changes.name !== undefined) await renameServiceAccount(tx, account, changes.name)
    const details = { before: program.roles, after: roles }
    await told(auth, tx, 'organization.service_account_updated', { me, userId, details })
    const names = await namesOf(tx, [program])
    return { userId, roles, name: names(userId), createdAt: program.createdAt.toISOString() }
  })
}

/** Its keys end, and its account with them. */
export async function deleteAccount(auth: OrganizationHeld, asked: OfOne) {
  const { userId } = asked
  await changeOne(auth, asked, async (tx, { me, account }) => {
    await endServiceAccount(tx, auth, { account, now: auth.clock.now() })
    await told(auth, tx, 'organization.service_account_deleted', { me, userId })
  })
}

interface NewKey {
  readonly caller: FreshCaller
  readonly body: OutputOf<typeof NewDeviceKey> & { expiresInDays?: number | undefined }
}

/** A key acts with all that its account may do, so only members who may do as much add one. */
export async function createKey(
  auth: OrganizationHeld,
  { caller, body: { expiresInDays, ...fields } }: NewKey,
  asked: OfOne,
) {
  const { userId } = asked
  const key = checkNewKey(fields)
  return changeOne(auth, { ...asked, caller }, async (tx, { me, account }) => {
    const { origin } = me
    const now = auth.clock.now()
    const channel = 'createServiceKey'
    const machine = { account, caller, key, expiresInDays, channel, origin, now }
    const item = await registerServiceKey(tx, machine)
    const details = { keyId: item.keyId }
    await told(auth, tx, 'organization.service_key_created', { me, userId, details })
    return item
  })
}

export async function listKeys(
  auth: OrganizationHeld,
  { id: organizationId }: Standing,
  { userId }: { userId: string },
) {
  if (!(await findProgram(auth.db, { organizationId, userId }))) {
    throw new ServiceAccountNotFoundError()
  }
  return listServiceKeys(auth, userId)
}

export async function revokeKey(auth: OrganizationHeld, keyId: string, asked: OfOne) {
  const { userId } = asked
  await changeOne(auth, asked, async (tx, { me, account }) => {
    const ending = { account, keyId, actor: me.userId, origin: me.origin, now: auth.clock.now() }
    await revokeServiceKey(tx, auth, ending)
    await told(auth, tx, 'organization.service_key_revoked', { me, userId, details: { keyId } })
  })
}

interface One {
  readonly me: Changer
  readonly account: ServiceAccount
  readonly program: NonNullable<Awaited<ReturnType<typeof findProgram>>>
}

/** Changes a service account of the organization that may not do more than the caller. */
function changeOne<Result>(
  auth: OrganizationHeld,
  { caller, ...asked }: OfOne & { caller?: FreshCaller },
  run: (tx: Tx, one: One) => Promise<Result>,
) {
  const { userId } = asked
  let account: ServiceAccount | null = null
  // Before the organization, and in the order in which operators lock accounts: otherwise the two wait for each other.
  const first = async (tx: Tx) => {
    // No other account is locked. Whether it is still the organization’s is asked again below.
    if (!(await findProgram(tx, { organizationId: asked.standing.id, userId }))) return
    if (caller && caller.userId < userId) await lockAccount(tx, caller.userId)
    account = await lockServiceAccount(tx, userId)
    if (caller) await lockFresh(tx, caller)
  }
  return change(auth, { ...asked, permission, first }, async (tx, me) => {
    const program = await findProgram(tx, { organizationId: me.organizationId, userId })
    if (!account || !program) throw new ServiceAccountNotFoundError()
    refuseGreaterMember(auth, me, program)
    return run(tx, { me, account, program })
  })
}

interface Told {
  readonly me: Changer
  readonly userId: string
  readonly details?: Record<string, unknown>
}

async function told(
  auth: OrganizationHeld,
  tx: Tx,
  act: OrganizationAct,
  { me, userId, details }: Told,
) {
  const { organizationId } = me
  const noted = { act, organizationId, by: me, target: userId }
  await note(auth, tx, { ...noted, ...(details && { details }) })
  await memberChanged.emit({ organizationId, userId })
}

/** Deletes the accounts of organizations that the next statement deletes. */
export async function endDue(auth: Pick<OrganizationHeld, 'db' | 'parts'>, now: Date) {
  for (const userId of await store.duePrograms(auth.db, now)) {
    await auth.db.transaction(async (tx) => {
      const account = await lockServiceAccount(tx, userId)
      if (account) await endServiceAccount(tx, auth, { account, now })
      else await store.forgetProgram(tx, userId)
    })
  }
}

import { randomBytes } from 'node:crypto'
import { lockAccount, type RequestOrigin, readNames } from '@svc/auth/server'
import type { Db, Tx } from '@svc/core'
import { PersonalOrganizationError } from '../membership/errors.ts'
import { heldOn, store as membership, type OrganizationHeld } from '../membership/membership.ts'
import * as store from './store.ts'

/**
 * The id of a user's personal organization, which is made if it isn't there. Null if there is no such user any more, or
 * if an operator has closed it.
 * Call it in a route, a job or a script that has the `db` of a running server.
 */
export async function personalOrganization(db: Db, userId: string): Promise<string | null> {
  const auth = heldOn(db)
  if (!auth?.personal) {
    throw new Error('personalOrganization: set organizations({ personal: true }) on this server.')
  }
  return findOrMake(auth, userId)
}

/**
 * Makes the personal organization of a user who has none. An account gets it when its user first asks for their
 * organizations, so that it doesn't matter how and when the account was made.
 */
export async function findOrMake(auth: OrganizationHeld, userId: string, origin?: RequestOrigin) {
  const found = await store.findPersonal(auth.db, userId)
  return found ?? auth.db.transaction((tx) => make(auth, tx, { userId, origin }))
}

interface Making {
  readonly userId: string
  readonly origin: RequestOrigin | undefined
}

async function make(auth: OrganizationHeld, tx: Tx, { userId, origin }: Making) {
  // Its purge would not see an organization that is made meanwhile.
  const account = await lockAccount(tx, userId)
  if (!account || account.status === 'deleted' || account.isService) return null
  const names = (await readNames(tx, [userId])).get(userId)
  const at = auth.clock.now()
  const organizationId = await store.insertPersonal(tx, {
    name: names?.displayName ?? 'Personal',
    slug: `personal-${randomBytes(6).toString('hex')}`,
    personalOf: userId,
    createdAt: at,
  })
  // Another request of the user was faster, or it was closed by an operator.
  if (organizationId === null) return store.findPersonal(tx, userId)
  await membership.insertMember(tx, { organizationId, userId, roles: ['owner'], at })
  await auth.audit(tx, 'organization.created', {
    actor: userId,
    target: organizationId,
    details: { organizationId, isPersonal: true },
    at,
    ...(origin && { origin }),
  })
  return organizationId
}

/** A personal organization keeps one member and its life is the account's. */
export async function refusePersonal(db: Db, organizationId: string) {
  if (await store.isPersonal(db, organizationId)) throw new PersonalOrganizationError()
}

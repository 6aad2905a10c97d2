import { randomUUID } from 'node:crypto'
import { ConflictError, type Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import { type Author } from '../caller/audit-entry.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { RoleItem } from './contract.ts'
import { RoleAlreadyExistsError } from './errors.ts'
import { refuseEscalation } from './refuse-escalation.ts'
import { refuseUnknownPermissions } from './refuse-unknown-permissions.ts'
import { roleItem } from './role-item.ts'
import * as store from './store.ts'

export interface NewRole {
  name: string
  displayName: string
  description?: string | undefined
  /** That of a user unless set. */
  priority?: number | undefined
  permissions?: readonly string[] | undefined
}

const initialPriority = 10

export async function createAdminRole(
  auth: Needs<'db' | 'clock'>,
  { caller, role, origin }: { caller: FreshCaller; role: NewRole; origin: RequestOrigin },
) {
  const { permissions, priority = initialPriority } = role
  await refuseUnknownPermissions(auth.db, permissions)
  refuseEscalation(caller, { permissions, priority })
  return { role: await insert(auth, role, { actor: caller.userId, origin }) }
}

/** Creates a role from an application's own code. */
export async function createRole(role: NewRole): Promise<RoleItem> {
  const auth = runningAuth()
  await refuseUnknownPermissions(auth.db, role.permissions)
  return insert(auth, role, {})
}

function insert({ db, clock }: Needs<'db' | 'clock'>, given: NewRole, by: Author) {
  const { name, displayName, description = null, priority = initialPriority } = given
  const permissions = store.sortedNames(given.permissions ?? [])
  const role = { roleId: randomUUID(), name, displayName, description, priority, permissions }
  return db.transaction(async (tx) => {
    const created = await store.insertRole(tx, role)
    if (!created) throw await taken(tx, name)
    const details = { name, priority, permissions }
    const target = created.roleId
    await recordAudit(tx, { act: 'role.created', ...by, target, details, at: clock.now() })
    return roleItem(created)
  })
}

/** Names the role that is there: whoever asks again, without having heard the answer, has it then. */
async function taken(tx: Tx, name: string) {
  const role = await store.findByName(tx, name)
  // Renamed or deleted in this very moment.
  return role ? new RoleAlreadyExistsError({ roleId: role.roleId }) : new ConflictError()
}

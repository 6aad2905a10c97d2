import type { Db } from '@svc/core'
import { PermissionNotFoundError } from './errors.ts'
import { areAllDeclared } from './store.ts'

/** A permission that is known stays known, so nothing can happen between this and what follows it. */
export async function refuseUnknownPermissions(db: Db, names: readonly string[] = []) {
  if (names.length > 0 && !(await areAllDeclared(db, names))) throw new PermissionNotFoundError()
}

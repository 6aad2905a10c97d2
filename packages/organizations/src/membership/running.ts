import { type Db, homeOf } from '@svc/core'
import type { OrganizationHeld } from './held.ts'

const ofDatabase = new WeakMap<Db, OrganizationHeld>()

/** For a job, and for a function of the application: they know only a database. */
export function hold(auth: OrganizationHeld) {
  ofDatabase.set(homeOf(auth.db), auth)
}

/** Undefined if no server on this database has organizations. */
export const heldOn = (db: Db) => ofDatabase.get(homeOf(db))

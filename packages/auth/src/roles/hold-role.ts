import type { Db, Tx } from '@svc/core'
import * as store from './store.ts'

// A role, for folders that give one to somebody.

export type Role = store.Role

export function findRole(db: Db, name: string) {
  return store.findByName(db, name)
}

/** Nobody deletes or renames it until this transaction ends. Always after the accounts. */
export function holdRole(tx: Tx, name: string) {
  return store.holdByName(tx, name)
}

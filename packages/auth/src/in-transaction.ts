import type { Db, Tx } from '@svc/core'

/**
 * Runs a function of ours in a transaction, and once more if PostgreSQL ends that for a collision. So it does nothing
 * outside of the transaction: it writes by its `tx`, emits events and enqueues jobs. What calls code of an application,
 * such as `beforeRegister`, can't promise that, and uses `db.transaction`.
 */
export function inTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(run, { retry: true })
}

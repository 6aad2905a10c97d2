import type { Db, Tx } from '@svc/core'

/**
 * Runs a function of ours in a transaction, and once more if PostgreSQL aborts that for a conflict.
 * So the function must have no effect outside of the transaction: it writes by its `tx`, emits
 * events and enqueues jobs. Code of an application, such as `beforeRegister`, can't promise that,
 * so its callers use `db.transaction`.
 */
export function inTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(run, { retry: true })
}

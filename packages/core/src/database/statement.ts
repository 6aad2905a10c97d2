import { type Db, homeOf, runnerOf } from './transaction.ts'

interface Statement {
  execute(values?: Record<string, unknown>): Promise<unknown>
}

/**
 * A statement that is built once per database and prepared once per connection:
 * `const byId = prepared('user_by_id', (db, name) => db.select()….prepare(name))`, then `byId(db).execute({ id })`.
 * Given a transaction, it runs inside it. Given a `Db` with settings, it has them.
 */
export function prepared<S extends Statement>(name: string, build: (db: Db, name: string) => S) {
  const memo = new WeakMap<Db, S>()

  return (db: Db): S => {
    const home = homeOf(db)
    const statement = memo.get(home) ?? build(home, name)
    memo.set(home, statement)
    const runner = runnerOf(db)
    return runner ? on(runner, statement) : statement
  }
}

/** Drizzle's prepared query has its connection in `client`. Everything else in it is shared. */
function on<S extends Statement>(client: unknown, statement: S): S {
  return Object.assign(Object.create(Object.getPrototypeOf(statement)), statement, { client })
}

import { CommandFailure } from '../failure.ts'

interface Column {
  name: string
  notNull: boolean
  default?: unknown
  generated?: unknown
  identity?: unknown
}

/** The part of drizzle-kit's snapshot that is read. */
interface Snapshot {
  tables: Record<string, { name: string; schema: string; columns: Record<string, Column> }>
}

interface RequiredColumn {
  /** In SQL's notation. */
  table: string
  column: string
}

/** New columns of existing tables for which existing rows have no value. */
export function newRequiredColumns(before: Snapshot, after: Snapshot): RequiredColumn[] {
  return Object.entries(after.tables).flatMap(([key, { name, schema, columns }]) => {
    const known = before.tables[key]?.columns
    if (!known) return []
    const table = [...(schema ? [schema] : []), name].map((each) => `"${each}"`).join('.')
    return Object.values(columns)
      .filter((column) => !(column.name in known) && isRequired(column))
      .map((column) => ({ table, column: column.name }))
  })
}

function isRequired({ notNull, default: value, generated, identity }: Column) {
  return notNull && value === undefined && !generated && !identity
}

/** Found before the migration is written, which would fail if the table has rows. */
export class UnfilledColumnError extends CommandFailure {
  override readonly name = 'UnfilledColumnError'

  constructor(columns: readonly RequiredColumn[]) {
    const named = columns.map(({ table, column }) => `  "${column}" of ${table}`)
    super(`A new column is NOT NULL and has no default, so rows that are there would have no value for it:
${named.join('\n')}

Nothing was written. Choose one:
  A default     Write .default(…) after .notNull(): rows that are there get it.
  Two steps     Leave .notNull() out, generate, and fill the rows. Then write .notNull() and generate again.
  By hand       "npx @svc/cli generate --fill-by-hand" writes a migration in which you set the value of these rows.`)
  }
}

/**
 * A placeholder for the value. PostgreSQL refuses it as a column that does not exist, and so says
 * what to do.
 */
const valueToWrite = '"write the value here"'

/** What you must still do in a migration with such a column. */
export function valuesToWrite(sql: string) {
  return sql
    .split('\n')
    .flatMap((line, at) => (line.includes(valueToWrite) ? [at + 1] : []))
    .map((line) => `  line ${line}: replace ${valueToWrite} with a value for the existing rows`)
}

/**
 * The statement that adds such a column, as three: PostgreSQL stops at the middle one until you
 * write a value there.
 */
export function filledByHand(statement: string, required: readonly RequiredColumn[]) {
  const found = required.find(({ table, column }) =>
    statement.startsWith(`ALTER TABLE ${table} ADD COLUMN "${column}" `),
  )
  if (!found) return [statement]
  const { table, column } = found
  return [
    statement.replace(' NOT NULL', ''),
    `-- Write the value for the rows that are there, or remove this statement where there are none.
UPDATE ${table} SET "${column}" = ${valueToWrite};`,
    `ALTER TABLE ${table} ALTER COLUMN "${column}" SET NOT NULL;`,
  ]
}

/** In a comment, because drizzle-kit doesn't know the name of a primary key that a column has declared. */
const leftOut =
  /table_schema = '(.+)'\s+AND table_name = '(.+)'\s+AND constraint_type = 'PRIMARY KEY'/

/** The statement that drizzle-kit leaves out, with the name that PostgreSQL has given the primary key. */
export function droppedKey(statement: string) {
  const [, schema, table] = leftOut.exec(statement) ?? []
  if (!schema || !table) return statement
  const home = schema === 'public' ? '' : `"${schema}".`
  // A name has 63 bytes at most.
  return `ALTER TABLE ${home}"${table}" DROP CONSTRAINT "${table.slice(0, 58)}_pkey";`
}

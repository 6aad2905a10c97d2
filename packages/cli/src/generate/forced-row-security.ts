/** The part of drizzle-kit's snapshot that is read. */
interface Snapshot {
  tables: Record<string, { name: string; schema: string; policies?: Record<string, unknown> }>
}

/** The policy of a tenant table of @svc/organizations. */
const ofTenantTables = 'in_organization'

/**
 * The statement, and for the one that turns row level security on for a tenant table, one more.
 * Without it, the policies would not bind the role that owns the table. drizzle-kit doesn't know it.
 */
export function forcedRowSecurity(statement: string, { tables }: Snapshot) {
  const enabled = Object.values(tables)
    .filter(({ policies = {} }) => ofTenantTables in policies)
    .map(({ schema, name }) => [...(schema ? [schema] : []), name].map((each) => `"${each}"`))
    .find((parts) => statement === `ALTER TABLE ${parts.join('.')} ENABLE ROW LEVEL SECURITY;`)
  if (!enabled) return [statement]
  return [statement, `ALTER TABLE ${enabled.join('.')} FORCE ROW LEVEL SECURITY;`]
}

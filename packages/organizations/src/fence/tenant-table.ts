import { type BuildColumns, type BuildExtraConfigColumns, is, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  type ForeignKeyBuilder,
  foreignKey,
  type PgColumnBuilderBase,
  type PgSchema,
  type PgTableExtraConfigValue,
  type PgTableFn,
  type PgTableWithColumns,
  PrimaryKeyBuilder,
  pgPolicy,
  pgTable,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core'
import { acrossRole } from './across-organizations.ts'

type Columns = Record<string, PgColumnBuilderBase>

/** An insert in an organization need not name it. */
const organizationId = () =>
  uuid('organization_id').notNull().default(sql`organizations.current_organization()`)

type Owned<Own extends Columns> = { organizationId: ReturnType<typeof organizationId> } & Own

/** The name of a schema of PostgreSQL; undefined for `public`. */
type SchemaName = string | undefined

type TenantTable<
  Name extends string,
  Own extends Columns,
  Schema extends SchemaName = undefined,
> = PgTableWithColumns<{
  name: Name
  schema: Schema
  columns: BuildColumns<Name, Owned<Own>, 'pg'>
  dialect: 'pg'
}>

type Extra<Name extends string, Own extends Columns> = (
  self: BuildExtraConfigColumns<Name, Owned<Own>, 'pg'>,
) => PgTableExtraConfigValue[]

/**
 * A table whose rows belong to organizations, and which PostgreSQL keeps apart. It is `pgTable` with
 * a column `organization_id`, the primary key `(organization_id, id)` and row level security. A
 * table without a column `id` gives its own primary key, which begins with `organizationId`.
 */
export function tenantTable<Name extends string, Own extends Columns>(
  name: Name,
  columns: Own,
  extra: Extra<Name, Own> = () => [],
): TenantTable<Name, Own> {
  return makeTable(pgTable, { name, columns, extra })
}

/**
 * `tenantTable` for the tables of a schema: `const tenantTable = tenantTablesIn(pgSchema('billing'))`. The schema is
 * yours: those of Svc begin with `svc`, or have the name of a package.
 */
export function tenantTablesIn<Schema extends string>(
  schema: PgSchema<Schema>,
): <Name extends string, Own extends Columns>(
  name: Name,
  columns: Own,
  extra?: Extra<Name, Own>,
) => TenantTable<Name, Own, Schema> {
  return (name, columns, extra = () => []) => makeTable(schema.table, { name, columns, extra })
}

interface Declared<Name extends string, Own extends Columns> {
  readonly name: Name
  readonly columns: Own
  readonly extra: Extra<Name, Own>
}

function makeTable<Schema extends SchemaName, Name extends string, Own extends Columns>(
  table: PgTableFn<Schema>,
  { name, columns, extra }: Declared<Name, Own>,
): TenantTable<Name, Own, Schema> {
  const owned: Owned<Own> = { organizationId: organizationId(), ...columns }
  return table(name, owned, (self) => {
    const given = extra(self)
    return [...keyOf(name, self, given), ...given, ...policies()]
  })
}

/** In the table, a column is more than its type here says. */
interface KeyColumns {
  readonly organizationId: AnyPgColumn
  readonly id?: AnyPgColumn
}

/**
 * Begins with the organization, so that its index finds the rows of one organization, and a foreign
 * key that carries the organization can refer to it.
 */
function keyOf(name: string, columns: KeyColumns, given: readonly PgTableExtraConfigValue[]) {
  const { organizationId: owner, id } = columns
  if (id?.primary) {
    throw new Error(
      `The table ${name} has the primary key (organization_id, id): remove .primaryKey() from its id.`,
    )
  }
  if (given.some((each) => is(each, PrimaryKeyBuilder))) return []
  if (id) return [primaryKey({ columns: [owner, id] })]
  throw new Error(
    `The table ${name} needs a column id, or primaryKey({ columns: [table.organizationId, …] }).`,
  )
}

/**
 * The subselect is computed once a statement, and not once a row, so PostgreSQL uses the index. The
 * second policy is for a role of its own: an "or" in the first one would cost the index.
 */
function policies() {
  const inside = sql`organization_id = (select organizations.current_organization())`
  return [
    pgPolicy('in_organization', { using: inside, withCheck: inside }),
    pgPolicy('across_organizations', { to: acrossRole, using: sql`true`, withCheck: sql`true` }),
  ]
}

/** The part of a tenant table that a foreign key refers to. */
interface Referred {
  readonly organizationId: AnyPgColumn
  readonly id: AnyPgColumn
}

/**
 * A foreign key that carries the organization, so that a row can't refer to another organization's:
 * `(table) => [tenantKey(table, table.customerId, customers)]`.
 */
export function tenantKey(
  self: { readonly organizationId: unknown },
  column: unknown,
  target: Referred,
): ForeignKeyBuilder {
  // Inside the extra part of a table, Drizzle types its columns as parts of indexes.
  const own = [self.organizationId, column] as [AnyPgColumn, AnyPgColumn]
  return foreignKey({ columns: own, foreignColumns: [target.organizationId, target.id] })
}

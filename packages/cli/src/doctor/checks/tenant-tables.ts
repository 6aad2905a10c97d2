import { join } from 'node:path'
import { createLogger } from '@svc/core'
import { connectDatabase, type Database, holdEmbedded } from '@svc/core/database'
import { folderOfApplication } from '../../application/application.ts'
import { readDatabaseEnv } from '../../database-env.ts'
import { givenEnvironment } from '../../env.ts'
import type { Deployment } from '../deployment.ts'
import { doubtful, type Finding, right, wrong } from '../finding.ts'
import { isLoopback } from '../loopback.ts'

interface Table {
  name: string
  hasPolicy: boolean
  isEnabled: boolean
  isForced: boolean
}

/**
 * Whether PostgreSQL keeps the rows of organizations apart: every table of the application with a
 * column organization_id. It looks into the database of DATABASE_URL, or else into the embedded one of development, if
 * the application runs here.
 */
export async function* tenantTables(deployment: Addresses): AsyncGenerator<Finding> {
  try {
    const tables = await read(deployment)
    yield* examined(tables)
  } catch (error) {
    yield doubtful('The tables of organizations were not checked.', {
      seen: error instanceof Error ? error.message : String(error),
      why: 'A table with organization_id and no policy shows its rows to every organization.',
      fix: ['Run this command where DATABASE_URL can be reached, or without DATABASE_URL.'],
    })
  }
}

type Addresses = Pick<Deployment, 'app' | 'api'>

async function read(deployment: Addresses) {
  const env = readDatabaseEnv(givenEnvironment())
  const url = env.DATABASE_URL ?? developmentUrl(deployment, env.NODE_ENV)
  // It belongs to that address, and not to the embedded database.
  const directUrl = env.DATABASE_URL && env.DATABASE_URL_DIRECT
  if (!url) return []
  const held = url.startsWith('embedded:') ? await holdEmbedded(url) : undefined
  // An embedded database that was never started has no tables.
  if (held === null) return []
  const log = createLogger({ level: 'silent' })
  let database: Awaited<ReturnType<typeof connectDatabase>> | undefined
  try {
    database = await connectDatabase(url, { log, ...(directUrl && { directUrl }) })
    return await tablesIn(database)
  } finally {
    await database?.close()
    await held?.stop()
  }
}

/** What a server without DATABASE_URL uses. A deployment elsewhere has another database. */
function developmentUrl({ app, api }: Addresses, environment: string) {
  const isHere = isLoopback(app.url) && isLoopback(api.url)
  if (!isHere || environment === 'production') return null
  const folder = folderOfApplication()
  return folder && `embedded:${join(folder, '.svc', 'data')}`
}

/** Tables of ours aren't the application's, and another application may have such columns too. */
const looking = `
  select c.oid::regclass::text as name, c.relrowsecurity as "isEnabled",
    c.relforcerowsecurity as "isForced",
    exists (select from pg_policy where polrelid = c.oid and polname = 'in_organization') as "hasPolicy"
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|svc($|_))'
    and n.nspname not in ('information_schema', 'organizations')
    and exists (select from pg_proc p join pg_namespace o on o.oid = p.pronamespace
      where o.nspname = 'organizations' and p.proname = 'current_organization')
  order by 1`

async function tablesIn({ pool }: Database) {
  const { rows } = await pool.query<Table>(looking)
  return rows
}

function* examined(tables: readonly Table[]): Generator<Finding> {
  const open = tables.filter((table) => !(table.hasPolicy && table.isEnabled && table.isForced))
  for (const each of open) yield unfenced(each)
  if (open.length > 0 || tables.length === 0) return
  const names = tables.map(({ name }) => name).join(', ')
  yield right(`PostgreSQL keeps the rows of organizations apart: ${names}`)
}

function unfenced({ name, hasPolicy, isEnabled }: Table) {
  const seen = !hasPolicy
    ? 'It has a column organization_id and no policy in_organization.'
    : `Its policy ${isEnabled ? 'does not bind the owner of the table' : 'is off'}.`
  return wrong(`The table ${name} is open to every organization.`, {
    seen,
    why: 'A statement that forgets its filter reads the rows of all organizations there.',
    fix: hasPolicy
      ? [
          'Apply a migration with:',
          `  ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;`,
          `  ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;`,
        ]
      : [
          'Declare it by tenantTable(…) of @svc/organizations/server, and run "npx @svc/cli generate".',
        ],
  })
}

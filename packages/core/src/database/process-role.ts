import { createHmac } from 'node:crypto'
import type { Client } from 'pg'
import { newClient, openClient } from './client.ts'
import { settingStatement } from './settings.ts'
import type { Settings } from './transaction.ts'

type Owner = Pick<Client, 'query'>

/**
 * The role of the processes of an embedded database. It owns no table of the application, and row
 * level security binds it.
 */
const processRole = 'svc_process'

/** The same address, for the processes. The password needs no file of its own. */
export function processUrl(ownerUrl: string) {
  const url = new URL(ownerUrl)
  url.password = passwordOf(decodeURIComponent(url.password))
  url.username = processRole
  return url.href
}

function passwordOf(ownerPassword: string) {
  return createHmac('sha256', ownerPassword).update(processRole).digest('base64url')
}

/** Creates the role, and grants it what a server needs here, unless it has that already. */
export async function openToProcesses(owner: Owner, ownerUrl: string) {
  if (await isOpenTo(owner, processRole)) return
  const password = passwordOf(decodeURIComponent(new URL(ownerUrl).password))
  await owner.query(creatingRole(password))
  await grantProcess(owner, processRole)
}

/**
 * A concurrent start of another database of the same server may create it too. Before PostgreSQL 16, a role that
 * inherits could be given no other one.
 */
const creatingRole = (password: string) => `do $$
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = '${processRole}') then
      create role ${processRole} login noinherit password '${password}';
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`

/** Whether tables that the owner makes from now on are granted to the role by themselves. */
async function isOpenTo(owner: Owner, role: string) {
  const { rowCount } = await owner.query(
    `select from pg_default_acl d
      join pg_roles o on o.oid = d.defaclrole and o.rolname = current_user,
      aclexplode(d.defaclacl) granted
      join pg_roles r on r.oid = granted.grantee
    where d.defaclobjtype = 'r' and r.rolname = $1
    limit 1`,
    [role],
  )
  return rowCount === 1
}

/**
 * Grants a server's role what it needs, on what is there and on what the owner makes later: to read
 * and write rows, but not to alter tables. The jobs' tables become its own, because pg-boss alters
 * them.
 */
async function grantProcess(owner: Owner, role: string) {
  await inTransaction(owner, { 'svc.process_role': role }, granting)
}

/** A pooler may give each transaction another connection. */
async function inTransaction(owner: Owner, settings: Settings, statement: string) {
  await owner.query('begin')
  try {
    await owner.query(`select pg_advisory_xact_lock(hashtextextended('svc grants', 0))`)
    await owner.query(settingStatement(settings))
    await owner.query(statement)
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

const granting = `do $$
  declare
    process text := current_setting('svc.process_role');
    each record;
  begin
    begin
      -- To create the schema of the jobs.
      execute format('grant connect, create, temporary on database %I to %I', current_database(), process);
    exception when insufficient_privilege then
      raise warning 'Only the owner of the database can let % create a schema.', process;
    end;
    for each in
      select format('grant usage on schema %I to %I', nspname, process) as change
        from pg_namespace
        where nspname !~ '^pg_' and nspname <> 'svc_jobs' and pg_has_role(nspowner, 'usage')
      union all
      select format('grant %s on %s to %I',
          case relkind when 'S' then 'usage, select, update' else 'select, insert, update, delete' end,
          case relkind when 'S' then 'sequence ' else '' end || c.oid::regclass, process)
        from pg_class c join pg_namespace n on n.oid = relnamespace
        where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and pg_has_role(relowner, 'usage')
          and nspname !~ '^pg_' and nspname not in ('information_schema', 'svc_jobs')
    loop
      execute each.change;
    end loop;
    execute format('alter default privileges grant usage on schemas to %I', process);
    execute format('alter default privileges grant select, insert, update, delete on tables to %I', process);
    execute format('alter default privileges grant usage, select, update on sequences to %I', process);
    for each in
      select format('alter schema %I owner to %I', nspname, process) as change
        from pg_namespace where nspname = 'svc_jobs' and pg_has_role(nspowner, 'usage')
      union all
      select format('alter table %s owner to %I', oid::regclass, process) from pg_class
        where relnamespace = to_regnamespace('svc_jobs') and relkind in ('r', 'p', 'v')
          and pg_has_role(relowner, 'usage')
      union all
      select format('alter routine %s owner to %I', oid::regprocedure, process) from pg_proc
        where pronamespace = to_regnamespace('svc_jobs') and pg_has_role(proowner, 'usage')
      union all
      select format('alter type %s owner to %I', oid::regtype, process) from pg_type
        where typnamespace = to_regnamespace('svc_jobs') and typtype in ('e', 'd')
          and pg_has_role(typowner, 'usage')
    loop
      execute each.change;
    end loop;
  end $$`

/**
 * Lets the role take others, which it doesn't inherit from: their policies hold for it only after
 * `set role`. Before PostgreSQL 16, a role inherits from all its roles or from none.
 */
async function grantRoles(owner: Owner, role: string, taken: readonly string[]) {
  for (const each of taken) {
    const settings = { 'svc.process_role': role, 'svc.taken_role': each }
    await inTransaction(owner, settings, grantingRole)
  }
}

const grantingRole = `do $$
  declare
    process text := current_setting('svc.process_role');
    taken text := current_setting('svc.taken_role');
  begin
    if current_setting('server_version_num')::int >= 160000 then
      -- Who creates a role is a member that may grant it, but not take it.
      if not pg_has_role(process, taken, 'set') or pg_has_role(process, taken, 'usage') then
        execute format('grant %I to %I with inherit false, set true', taken, process);
      end if;
    elsif pg_has_role(process, taken, 'member') and not pg_has_role(process, taken, 'usage') then
      return;
    elsif (select rolinherit from pg_roles where rolname = process) then
      raise exception 'The role "%" would inherit from "%": run "ALTER ROLE % NOINHERIT".', process, taken, quote_ident(process);
    else
      execute format('grant %I to %I', taken, process);
    end if;
  end $$`

interface Addresses {
  url: string
  directUrl: string
}

/**
 * After migrating: the role of `url` gets what a server needs, if it isn't the one that migrates,
 * and may take the roles that the migrations have made.
 */
export async function openToServer(
  owner: Client,
  { url, directUrl }: Addresses,
  taken: readonly string[],
) {
  if (url === directUrl) {
    if (taken.length > 0) await grantRoles(owner, await currentRole(owner), taken)
    return
  }
  const named = newClient({ connectionString: url }).user ?? ''
  const isOpen = await isOpenTo(owner, named)
  const role = isOpen ? named : await roleOf(url)
  if (!isOpen && role !== (await currentRole(owner))) await grantProcess(owner, role)
  await grantRoles(owner, role, taken)
}

/** A pooler may know the role by another name than PostgreSQL. */
async function roleOf(url: string) {
  const client = await openClient({ connectionString: url, application_name: 'svc migrate' })
  try {
    return await currentRole(client)
  } finally {
    client.end().catch(() => {})
  }
}

async function currentRole(client: Pick<Client, 'query'>) {
  const { rows } = await client.query<{ role: string }>('select current_user as role')
  return rows[0]?.role ?? ''
}

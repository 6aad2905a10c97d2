import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createAuthLifecycle, createAuthRouter } from '../../packages/auth/src/server.ts'
import { startTestAuth, type TestUser } from '../../packages/auth/src/testing.ts'
import { tenantTables } from '../../packages/cli/src/doctor/checks/tenant-tables.ts'
import { nextMigration } from '../../packages/cli/src/generate/next-migration.ts'
import { main } from '../../packages/cli/src/main.ts'
import { migrate } from '../../packages/core/src/database/migrate.ts'
import { createLogger, defineServer, migrationSources } from '../../packages/core/src/index.ts'
import { createTestDatabase, startTestServer } from '../../packages/core/src/testing.ts'
import { organizations as contract } from '../../packages/organizations/src/contract.ts'
import { inOrganization } from '../../packages/organizations/src/server.ts'
import { layPage } from './lay-page.ts'
import { catalogOf, statementsIn, todayRoutes } from './test-add-organizations.ts'

// The recipe from its first step to its last, on one database with rows: each test goes on where the one before ended.

const path = 'docs/recipes/add-organizations.md'
const page = readFileSync(path, 'utf8')
const { folder, load, remove } = layPage(path)
writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "type": "module" }')
const migrations = pathToFileURL(`${folder}/migrations/`)

/** What `svc generate` writes. */
async function generate(name: string, file: string) {
  if (name !== 'shop') expect(page).toContain(`\nnpx @svc/cli generate --name ${name}\n`)
  const migration = await nextMigration(
    { schema: { ...(await load(file)) }, directory: join(folder, 'migrations') },
    { name },
  )
  if (!migration) throw new Error('Nothing has changed.')
  mkdirSync(dirname(migration.snapshot.file), { recursive: true })
  writeFileSync(migration.file, migration.sql)
  writeFileSync(migration.snapshot.file, migration.snapshot.contents)
  return migration
}

const sqlOn = (name: string) => statementsIn(page, name).join(';\n\n')
const layMigration = (name: string) =>
  writeFileSync(join(folder, 'migrations', name), `${sqlOn(`migrations/${name}`)};\n`)

await generate('shop', 'today.ts')
const today = defineServer()
  .database({ schema: await load('today.ts'), migrations })
  .routes(createAuthRouter({ routes: todayRoutes }))
  .lifecycle(createAuthLifecycle())

const owner = await createTestDatabase({ sources: migrationSources(today) })
const role = `shop_${randomBytes(6).toString('hex')}`
const address = new URL(owner.url)
address.username = role
address.password = 'a long random password'
const env = { DATABASE_URL: address.href, DATABASE_URL_DIRECT: owner.url }

/** Runs a file of the page as psql does, one statement after the other. */
async function psql(name: string, client: Pick<typeof owner.pool, 'query'> = owner.pool) {
  const rows: Record<string, unknown>[] = []
  for (const statement of statementsIn(page, name)) {
    const answer = await client.query(
      statement.replace('create role shop ', `create role ${role} `),
    )
    rows.push(...answer.rows)
  }
  return rows
}

/** Runs a command of the page in the folder of the application. */
async function svc(line: string) {
  expect(page).toContain(`\nnpx @svc/cli ${line}\n`)
  const said: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void said.push(text))
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const before = process.cwd()
  process.chdir(folder)
  try {
    return { code: await main(line.split(' ')), said: said.join('\n') }
  } finally {
    process.chdir(before)
    log.mockRestore()
  }
}

await psql('role.sql')
const auth = await startTestAuth({ definition: today, env })
const variables = {
  SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
}

type Release = Awaited<ReturnType<typeof startTestServer>>
const running = new Set<Release>()

async function start(definition: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(definition, { env: { ...variables, ...env } })
  server.clock.set(auth.clock.now())
  running.add(server)
  return server
}

async function stop(server: Release) {
  running.delete(server)
  await server.stop()
}

afterAll(async () => {
  for (const server of running) await server.stop()
  await auth.stop()
  await owner.pool.query(`drop owned by ${role}; drop role ${role}`)
  await owner.drop()
  remove()
})

async function ask(
  server: Pick<Release, 'url'>,
  { key }: TestUser,
  where: string,
  invoice?: object,
) {
  const url = `${server.url}/${where}/invoices`
  const [method, body] = invoice ? ['POST', JSON.stringify(invoice)] : ['GET', '']
  const headers = await auth.signerOf(key)({ method, url, body })
  const type = { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && type) },
    ...(body && { body }),
  })
  const text = await answer.text()
  const cents: number[] = text.startsWith('{"invoices"')
    ? JSON.parse(text).invoices.map((each: { cents: number }) => each.cents)
    : []
  return { status: answer.status, cents: cents.toSorted((one, other) => one - other) }
}

/** `svc doctor` looks into the database of DATABASE_URL. */
const deployment = {
  app: { url: new URL('http://localhost:3790'), from: 'a test' },
  api: { url: new URL('http://127.0.0.1:8790'), from: 'a test' },
}

async function found() {
  const all: string[] = []
  for await (const each of tenantTables(deployment)) all.push(`${each.mark}: ${each.title}`)
  return all
}

const one = async (statement: string) => {
  const { rows } = await owner.pool.query<{ of: unknown }>(statement)
  return rows.map(({ of }) => of)
}
const organizationOf = async (company: number) =>
  String((await one(`select organization as of from companies where id = ${company}`))[0])
const unfilled = () => one('select count(*)::int as of from invoices where organization_id is null')

const [ada, bob, cid, eve] = [
  await auth.signedInUser(),
  await auth.signedInUser(),
  await auth.signedInUser(),
  await auth.signedInUser(),
]
const [acme, globex, ghosts, gone] = [1, 2, 3, 9]
// Acme has a member and Ghosts an owner whose accounts are gone, and company 9 is gone.
await owner.pool.query(`
  insert into companies (name) values ('Acme'), ('Globex'), ('Ghosts');
  insert into company_members values
    (${acme}, '${ada.userId}', 'owner'), (${acme}, '${bob.userId}', 'member'),
    (${acme}, '${randomUUID()}', 'member'), (${globex}, '${eve.userId}', 'owner'),
    (${ghosts}, '${randomUUID()}', 'owner');
  insert into invoices (company_id, cents) select ${acme}, 1 from generate_series(1, 1500);
  insert into invoices (company_id, cents) values
    (${acme}, 100), (${globex}, 900), (${ghosts}, 300), (${gone}, 700);
  insert into invoice_lines (invoice_id, text) select id, 'Tea' from invoices`)

/** What a company's invoices are beside the many of one cent. */
const above = ({ status, cents }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  cents: cents.filter((each) => each > 1),
})

let generated: Awaited<ReturnType<typeof generate>>
let first: Release
let second: Release

/** What becomes of tables with rows by the migration that `svc generate` has written, as it stands. */
async function catalogOfGenerated() {
  const sources = migrationSources((await load('server.ts')).default)
  const fence = sources.filter(({ name }) => name === 'organizations')
  const before = readdirSync(migrations).filter((name) => /^000[123].*sql$/.test(name))
  const database = await createTestDatabase({ sources: fence })
  for (const sql of [
    ...before.toSorted().map((name) => readFileSync(join(folder, 'migrations', name), 'utf8')),
    `insert into companies (name) values ('Acme'); insert into invoices (company_id, cents) values (1, 1);
     insert into invoice_lines (invoice_id, text) values (1, 'Tea')`,
    generated.sql,
  ]) {
    await database.pool.query(sql)
  }
  const catalog = await catalogOf(database.pool)
  await database.drop()
  return catalog
}

describe('the recipe of organizations for an app that has rows', () => {
  it('step 2 only adds, and the running release fills the column without knowing it', async () => {
    const { file, sql } = await generate('organization-columns', 'schema.ts')
    expect(file).toMatch(/0002_organization-columns\.sql$/)
    const changes = sql.split('--> statement-breakpoint').map((each) => each.trim())
    const added =
      / ADD COLUMN | ALTER COLUMN "company_id" DROP NOT NULL;| ADD CONSTRAINT "\w+" UNIQUE/
    expect(changes.filter((each) => !added.test(each))).toEqual([])
    layMigration('0003_organization-of-new-rows.sql')
    expect(await svc('migrate')).toMatchObject({ code: 0 })
    const sent = await ask(auth, eve, `companies/${globex}`, { cents: 901, text: 'Milk' })
    expect(sent.status).toBe(204)
    expect(
      await one(`select i.organization_id = l.organization_id and l.organization_id = c.organization as of
        from invoices i join invoice_lines l on l.invoice_id = i.id join companies c on c.id = i.company_id
        where i.cents = 901`),
    ).toEqual([true])
  })

  const importing = async () => {
    const rows = await psql('companies.sql')
    const lines = rows.map((row) => JSON.stringify(row['json_build_object']))
    writeFileSync(join(folder, 'companies.jsonl'), lines.join('\n'))
    return svc('organizations import companies.jsonl --report report.jsonl')
  }

  it('step 4 makes an organization of each company, and names those without an owner', async () => {
    const { said } = await importing()
    expect(said).toMatch(/^created +5 \(2 organizations, 3 members\)\n.*\nrefused +2\n/)
    expect(said).toContain('user_unknown: 2')
    expect(await psql('without-owner.sql')).toEqual([{ id: ghosts, name: 'Ghosts' }])
    await owner.pool.query(
      `insert into company_members values (${ghosts}, '${bob.userId}', 'owner')`,
    )
    expect((await importing()).said).toMatch(/^created +2 \(1 organization, 1 member\)\n/)
    expect(await psql('without-owner.sql')).toEqual([])
  })

  it('step 5 can be stopped and run again, and names what belongs to no company', async () => {
    const [holding, filling] = [await owner.pool.connect(), await owner.pool.connect()]
    try {
      await holding.query('begin; select from invoices where id = 1200 for update')
      await filling.query(`set lock_timeout = '100ms'`)
      await expect(psql('backfill.sql', filling)).rejects.toThrow('lock timeout')
    } finally {
      // Both connections end here, and so does the lock.
      for (const client of [holding, filling]) client.release(true)
    }
    // The first thousand stays.
    expect(await unfilled()).toEqual([504])
    await psql('backfill.sql')
    expect(await psql('left.sql')).toEqual([{ rows_of: 'invoices', company_id: gone, count: 1 }])
    const wrong = 'select count(*)::int as of from invoices i join companies c on c.id = company_id'
    expect(await one(`${wrong} where organization_id is distinct from organization`)).toEqual([0])
  })

  it('step 6 takes out members and roles that are gone since, and moves rows with their company', async () => {
    // Since step 4, today's release has removed Cid from Acme, made Bob a member of Ghosts, and moved an invoice.
    const org = await organizationOf(acme)
    await owner.pool.query(`insert into organizations.members (organization_id, user_id, roles, joined_at)
      values ('${org}', '${cid.userId}', '{admin}', now())`)
    await owner.pool.query(
      `update company_members set role = 'member' where company_id = ${ghosts} and user_id = '${bob.userId}';
       insert into company_members values (${ghosts}, '${ada.userId}', 'owner');
       update invoices set company_id = ${globex} where cents = 300`,
    )
    expect((await importing()).said).toContain('1 member')
    await psql('correct-members.sql')
    const rolesIn = (organization: string) =>
      one(`select user_id || ' ' || array_to_string(roles, ',') as of from organizations.members
        where organization_id = '${organization}' order by user_id`)
    expect(await rolesIn(org)).toEqual([`${ada.userId} owner`, `${bob.userId} member`].toSorted())
    expect(await rolesIn(await organizationOf(ghosts))).toEqual(
      [`${ada.userId} owner`, `${bob.userId} member`].toSorted(),
    )
    expect(await one(`select organization_id as of from invoices where cents = 300`)).toEqual([
      await organizationOf(globex),
    ])
    await owner.pool.query(`update invoices set company_id = ${ghosts} where cents = 300`)
  })

  it('step 6: both releases show the same rows beside each other, each to its members', async () => {
    first = await start((await load('server.ts')).default)
    const org = await organizationOf(acme)
    expect((await ask(first, bob, `orgs/${org}`, { cents: 101, text: 'Tea' })).status).toBe(403)
    expect((await ask(first, ada, `orgs/${org}`, { cents: 101, text: 'Tea' })).status).toBe(204)
    expect((await ask(auth, ada, `companies/${acme}`, { cents: 102, text: 'Tea' })).status).toBe(
      204,
    )
    const rows = { status: 200, cents: [100, 101, 102] }
    expect(above(await ask(first, bob, `orgs/${org}`))).toEqual(rows)
    expect(above(await ask(auth, bob, `companies/${acme}`))).toEqual(rows)
    expect((await ask(first, eve, `orgs/${org}`)).status).toBe(404)
  })

  it('step 7 changes nothing while a row has no organization', async () => {
    vi.stubEnv('DATABASE_URL', owner.url)
    expect(await found()).toEqual([
      'wrong: The table invoice_lines is open to every organization.',
      'wrong: The table invoices is open to every organization.',
    ])
    layMigration('0004_prepare-fence.sql')
    generated = await generate('fence', 'tenant-schema.ts')
    expect(generated.file).toMatch(/0005_fence\.sql$/)
    layMigration('0005_fence.sql')
    await psql('indexes.sql')
    const sources = migrationSources((await load('server.ts')).default)
    const log = createLogger({ level: 'silent' })
    const early = migrate({ url: env.DATABASE_URL, directUrl: owner.url }, sources, { log })
    await expect(early).rejects.toThrow(/0005_fence.*invoice_lines_owned|invoices_owned/s)
    expect(await found()).toHaveLength(2)
    await psql('set-aside.sql')
    expect(
      await one(`select old_row -> 'cents' as of from set_aside where of_table = 'invoices'`),
    ).toEqual([700])
    expect(await unfilled()).toEqual([0])
  })

  it('step 7 raises the fence: the tables are those of the generated migration', async () => {
    expect(await svc('migrate')).toMatchObject({ code: 0 })
    vi.stubEnv('DATABASE_URL', owner.url)
    expect(await found()).toEqual([
      'right: PostgreSQL keeps the rows of organizations apart: invoice_lines, invoices',
    ])
    const wanted = await catalogOfGenerated()
    expect(await catalogOf(owner.pool)).toEqual(wanted)
  })

  it('after step 7, the first release runs on, and today’s finds and changes nothing', async () => {
    const org = await organizationOf(globex)
    expect((await ask(first, eve, `orgs/${org}`, { cents: 902, text: 'Milk' })).status).toBe(204)
    expect(await ask(first, eve, `orgs/${org}`)).toEqual({ status: 200, cents: [900, 901, 902] })
    expect((await ask(auth, eve, `companies/${globex}`)).status).toBe(500)
    expect((await ask(auth, eve, `companies/${globex}`, { cents: 903, text: 'Milk' })).status).toBe(
      500,
    )
    expect(JSON.stringify(auth.logged)).toContain('outside an organization')
    expect(await one('select cents as of from invoices where cents = 903')).toEqual([])
  })

  it('step 8: without a filter, each organization finds its own rows and none of another', async () => {
    const { organizationsOfApp } = await load('server.ts')
    const schema = await load('tenant-schema.ts')
    const { listInvoices, addInvoice } = await load('tenant-invoices.ts')
    second = await start(
      defineServer()
        .database({ schema: { ...schema }, migrations })
        .routes(createAuthRouter({ routes: { listInvoices, addInvoice }, contracts: [contract] }))
        .lifecycle(createAuthLifecycle({ capabilities: [organizationsOfApp] })),
    )
    const org = await organizationOf(globex)
    expect((await ask(second, eve, `orgs/${org}`, { cents: 904, text: 'Milk' })).status).toBe(204)
    const cents = [900, 901, 902, 904]
    expect(await ask(second, eve, `orgs/${org}`)).toEqual({ status: 200, cents })
    const { database } = second.infrastructure
    if (!database) throw new Error('There is no database.')
    const ofId = async (where: string) => {
      const inside = inOrganization(database.db, where)
      return (await inside.execute('select cents from invoices where id = 1')).rows
    }
    expect(await ofId(await organizationOf(acme))).toEqual([{ cents: 1 }])
    expect(await ofId(org)).toEqual([])
  })

  it('the way back: open tables serve today’s release, and no release with tenant tables starts', async () => {
    await stop(second)
    const org = await organizationOf(globex)
    await psql('open.sql')
    expect((await ask(auth, eve, `companies/${globex}`, { cents: 905, text: 'Milk' })).status).toBe(
      204,
    )
    const cents = [900, 901, 902, 905]
    expect(await ask(auth, eve, `companies/${globex}`)).toEqual({ status: 200, cents })
    await expect(start((await load('server.ts')).default)).rejects.toThrow(
      'row level security is off',
    )
    await psql('close.sql')
    expect((await ask(auth, eve, `companies/${globex}`)).status).toBe(500)
    expect(await ask(first, eve, `orgs/${org}`)).toEqual({
      status: 200,
      cents: [...cents.slice(0, 3), 904, 905],
    })
    vi.stubEnv('DATABASE_URL', owner.url)
    expect(await found()).toEqual([
      expect.stringContaining('keeps the rows of organizations apart'),
    ])
    await psql('drop-triggers.sql')
    expect(
      await one(`select tgname as of from pg_trigger where tgname like 'organization_of_%'`),
    ).toEqual([])
  })
})

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLogger } from '@svc/core'
import { connectDatabase, migrate } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { tenantTables } from './tenant-tables.ts'

const fence = {
  name: 'organizations',
  directory: new URL('../../../../organizations/migrations/', import.meta.url),
}

const database = await createTestDatabase()
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
})
beforeEach(() => void vi.stubEnv('DATABASE_URL', database.url))

const at = (address: string) => ({ url: new URL(address), from: 'a test' })

async function findings(app = 'http://localhost:3790') {
  const found: string[] = []
  for await (const each of tenantTables({ app: at(app), api: at('http://127.0.0.1:8790') })) {
    found.push(
      each.mark === 'right' ? `right: ${each.title}` : `${each.mark}: ${each.title} ${each.seen}`,
    )
  }
  return found
}

const policy = (table: string) =>
  `create policy in_organization on ${table} using (organization_id = (select organizations.current_organization()))`

/** In the folder of an application. */
function workIn(folder: string) {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
}

it('says nothing of a database that has no fence, or where no database was started', async () => {
  await database.pool.query('create table notes (organization_id uuid)')
  expect(await findings()).toEqual([])
  vi.stubEnv('DATABASE_URL', '')
  workIn(temporaryFolder({ 'package.json': '{}' }))
  expect(await findings()).toEqual([])
})

it('looks into the embedded database of an application here that has no DATABASE_URL', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const folder = temporaryFolder({
    'package.json': '{}',
    'migrations/0001_notes.sql': 'create table notes (organization_id uuid)',
  })
  const own = { name: 'own', directory: pathToFileURL(`${folder}/migrations/`) }
  const url = `embedded:${join(folder, '.svc/data')}`
  const log = createLogger({ level: 'silent' })
  const embedded = await connectDatabase(url, { log })
  await migrate(embedded, [fence, own], { log })
  await embedded.close()
  workIn(folder)
  expect(await findings()).toEqual([
    expect.stringMatching(/^wrong: The table notes is open to every organization\./),
  ])
  expect(await findings('https://app.example.com')).toEqual([])
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.stubEnv('NODE_ENV', 'test'))
  expect(await findings()).toEqual([])
})

it('finds tables with organization_id that have no policy, or one that is off or not forced', async () => {
  await migrate({ url: database.url }, [fence], { log: createLogger({ level: 'silent' }) })
  await database.pool.query(`
    create table invoices (organization_id uuid); ${policy('invoices')};
    create table orders (organization_id uuid); ${policy('orders')};
    alter table orders enable row level security;
    create table parcels (organization_id uuid); ${policy('parcels')};
    alter table parcels enable row level security; alter table parcels force row level security;
    create table branches (id uuid)`)
  expect(await findings()).toEqual([
    'wrong: The table invoices is open to every organization. Its policy is off.',
    'wrong: The table notes is open to every organization. It has a column organization_id and no policy in_organization.',
    'wrong: The table orders is open to every organization. Its policy does not bind the owner of the table.',
  ])
})

it('names the tables once all are fenced', async () => {
  await database.pool.query(`
    drop table notes; alter table invoices enable row level security;
    alter table invoices force row level security; alter table orders force row level security`)
  expect(await findings()).toEqual([
    'right: PostgreSQL keeps the rows of organizations apart: invoices, orders, parcels',
  ])
})

it('says that it could not look, where the database does not answer', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:9/none')
  expect(await findings()).toEqual([
    expect.stringMatching(
      /^doubtful: The tables of organizations were not checked\. Nothing answers/,
    ),
  ])
})

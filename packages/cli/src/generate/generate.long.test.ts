import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { orders } from '../testing/application.ts'
import { nothingChanged, useGenerated } from './test-generate.ts'

const test = useGenerated()
const { isGenerated, migrations, addColumn, addRoute } = test

/** A capability in a folder of the application. */
const cards = {
  'cards/schema.ts': `import { pgSchema, text } from 'drizzle-orm/pg-core'

export const schema = pgSchema('cards')
export const codes = schema.table('codes', { hash: text().primaryKey() })
`,
  'server.ts': orders['server.ts']
    .replace(
      'import * as schema',
      `import { defineContract } from '@svc/auth/contract'
import { createAuthLifecycle, defineCapability } from '@svc/auth/server'
import * as tables from './cards/schema.ts'
import * as schema`,
    )
    .replace(
      'export default defineServer()',
      `const migrations = new URL('./cards/migrations/', import.meta.url)
const cards = defineCapability(defineContract('cards', { operations: {} }), {
  tables,
  migrations,
  handlers: {},
})

export default defineServer()
  .lifecycle(createAuthLifecycle({ capabilities: [cards] }))`,
    ),
}

describe('svc generate', () => {
  it('has a place for the value of a NOT NULL column with --fill-by-hand', async () => {
    await isGenerated()
    await addColumn('.notNull()')
    const by = ['generate', '--name', 'owner', '--fill-by-hand']
    expect((await test.application.svc(by)).stdout).toBe(
      `wrote migrations/0002_owner.sql
  line 4: replace "write the value here" with a value for the existing rows
`,
    )
    const directory = join(test.application.root, 'migrations')
    const unfilled = createTestDatabase({ sources: [{ name: 'app', directory }] })
    await expect(unfilled).rejects.toThrow(
      '0002_owner.sql:4:31: column "write the value here" does not exist',
    )
    const sql = await test.application.read('migrations/0002_owner.sql')
    await test.application.write(
      'migrations/0002_owner.sql',
      sql.replace('"write the value here"', "'unknown'"),
    )
    await test.application.write(
      'migrations/0001_orders.sql',
      `${await test.application.read('migrations/0001_orders.sql')}insert into orders values ('1');\n`,
    )

    const database = await createTestDatabase({ sources: [{ name: 'app', directory }] })
    const { rows } = await database.pool.query('select owner from orders')
    const insert = database.pool.query(`insert into orders (id) values ('2')`)
    await expect(insert).rejects.toThrow('not-null')
    await database.drop()
    expect(rows).toEqual([{ owner: 'unknown' }])
  })

  it.each(['.notNull().default("us")', ''])('writes at once a column that is %o', async (more) => {
    await isGenerated()
    await addColumn(more)
    const { code } = await test.application.svc(['generate', '--name', 'owner'])
    expect(code).toBe(0)
  })

  it('says of a body that isn’t JSON how large it may be', async () => {
    const server = await test.application.read('server.ts')
    const upload = `upload: route.post('/uploads').input({ body: bytesBody({ maxBytes: 9 }) }).handler(() => {})`
    const uploading = server
      .replace('import {', 'import { bytesBody,')
      .replace('defineRouter({', `defineRouter({ ${upload},`)
    await test.application.write('server.ts', uploading)
    await test.application.svc(['generate'])
    expect(await test.application.read('route-map.generated.ts')).toContain(
      "  upload: { method: 'POST', path: '/uploads', rawBody: { maxBytes: 9 } },\n",
    )
  })

  it('writes the route map to where package.json or a flag says', async () => {
    await test.application.write(
      'package.json',
      '{ "type": "module", "svc": { "routeMap": "./web/routes.ts" } }',
    )
    expect((await test.application.svc(['generate'])).stdout).toContain(
      'wrote web/routes.ts (2 routes)\n',
    )
    expect(await test.application.read('web/routes.ts')).toContain('from ../server.ts')
    const flagged = await test.application.svc(['generate', '--route-map', 'flag.ts'])
    expect(flagged.stdout).toBe('wrote flag.ts (2 routes)\n')
  })

  it('takes a checkout with CRLF for what it wrote', async () => {
    await isGenerated()
    const written = await test.application.read('route-map.generated.ts')
    await test.application.write('route-map.generated.ts', written.replaceAll('\n', '\r\n'))
    expect(await test.application.svc(['generate'])).toEqual(nothingChanged)
  })

  it('asks for the folder of the migrations when there are tables', async () => {
    const server = await test.application.read('server.ts')
    await test.application.write('server.ts', server.replace(/, migrations: [^}]+/, ' '))
    const { code, stderr } = await test.application.svc(['generate'])
    expect(code).toBe(1)
    expect(stderr).toBe(
      "The server has tables and no folder for their migrations: write .database({ schema, migrations: new URL('./migrations/', import.meta.url) }).\n",
    )
  })

  it('writes the migrations of a capability in the application, where its tables are', async () => {
    for (const [name, text] of Object.entries(cards)) await test.application.write(name, text)
    const { stdout } = await test.application.svc(['generate', '--name', 'first'])
    expect(stdout).toContain(
      'wrote migrations/0001_first.sql\nwrote cards/migrations/0001_first.sql\n',
    )
    expect(await test.application.read('cards/migrations/0001_first.sql')).toMatch(
      /^CREATE SCHEMA "cards";[^]+CREATE TABLE "cards"."codes"/,
    )
    expect(await test.application.svc(['generate', '--check'])).toEqual(nothingChanged)

    const schema = await test.application.read('cards/schema.ts')
    await test.application.write('cards/schema.ts', schema.replace('hash:', 'at: text(), hash:'))
    expect((await test.application.svc(['generate', '--check'])).stdout).toContain(
      'out of date: cards/migrations has no migration',
    )
  })

  it('writes nothing beside migrations that are written by hand', async () => {
    for (const [name, text] of Object.entries(cards)) await test.application.write(name, text)
    await test.application.write('cards/migrations/0001_mine.sql', 'create schema cards;')
    const { stdout } = await test.application.svc(['generate'])
    expect(stdout).not.toContain('cards')
  })

  it('ends although the application left a timer running', async () => {
    await test.application.write('schema.ts', `${orders['schema.ts']}setInterval(() => {}, 1000)\n`)
    expect((await test.application.svc(['generate'])).code).toBe(0)
  })
})

describe('svc generate --check', () => {
  it('takes what may be a renaming for a change, where generating asks', async () => {
    await addColumn()
    await test.application.svc(['generate'])
    const schema = await test.application.read('schema.ts')
    await test.application.write('schema.ts', schema.replace('owner:', 'buyer:'))
    expect(await test.application.svc(['generate', '--check'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has no migration for the changed tables'),
      stderr: '',
    })
    const { code, stderr } = await test.application.svc(['generate'])
    expect(code).toBe(1)
    expect(stderr).toContain('Run this command in a terminal')
    expect(await migrations()).toEqual(['0001_change.sql'])
  })

  it('exits 0 when everything is up to date, and 1 for each of the two alone (A-015)', async () => {
    await isGenerated()
    expect(await test.application.svc(['generate', '--check'])).toEqual(nothingChanged)

    await addColumn()
    const tables = await test.application.svc(['generate', '--check'])
    expect(tables).toMatchObject({ code: 1, stdout: expect.not.stringContaining('route-map') })
    expect(await migrations()).toEqual(['0001_orders.sql'])

    await test.application.svc(['generate'])
    await addRoute()
    const routes = await test.application.svc(['generate', '--check'])
    expect(routes).toMatchObject({ code: 1, stdout: expect.not.stringContaining('tables') })
  })
})

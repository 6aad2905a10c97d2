import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyPgColumn, integer, pgSchema, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { expect, it, onTestFinished } from 'vitest'
import { nextMigration } from './next-migration.ts'
import { generate, schema } from './test-tenant-tables.ts'

/** What the tests of the fence migrate. */
const tested = join(
  import.meta.dirname,
  '../../../organizations/src/fence/test-migrations/0001_shop.sql',
)

it('svc generate writes the policies of tenant tables, and forces row level security', async () => {
  const { application, outcome } = await generate(schema)
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  const sql = await application.read('migrations/0001_shop.sql')
  expect(sql).toBe(await readFile(tested, 'utf8'))
  expect(sql.match(/FORCE ROW LEVEL SECURITY/g)).toHaveLength(3)
  expect((await application.svc(['generate', '--check'])).stdout).toBe('nothing changed\n')
})

it('svc generate names the primary key that a table loses, as when it becomes a tenant table', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-dropped-key-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const depot = pgSchema('depot')
  const columns = { id: integer().primaryKey(), box: integer().notNull() }
  const before = { notes: pgTable('notes', columns), parcels: depot.table('parcels', columns) }
  const first = await nextMigration({ schema: before, directory })
  await mkdir(join(directory, 'meta'))
  await writeFile(first?.snapshot.file ?? '', first?.snapshot.contents ?? '')
  const later = { id: integer().notNull(), box: integer().notNull() }
  const key = ({ id, box }: { id: AnyPgColumn; box: AnyPgColumn }) => [
    primaryKey({ columns: [box, id] }),
  ]
  const after = {
    notes: pgTable('notes', later, key),
    parcels: depot.table('parcels', later, key),
  }
  const second = await nextMigration({ schema: after, directory })
  expect(second?.sql).toMatch(/^ALTER TABLE "notes" DROP CONSTRAINT "notes_pkey";$/m)
  expect(second?.sql).toMatch(/^ALTER TABLE "depot"."parcels" DROP CONSTRAINT "parcels_pkey";$/m)
  expect(second?.sql).not.toContain('constraint_name')
})

import { expect, it } from 'vitest'
import { generate, schema } from './test-tenant-tables.ts'

it.each([
  ['.notNull().primaryKey()', 'has the primary key (organization_id, id): remove .primaryKey()'],
  ['.notNull().unique()', null],
])('a tenant table whose id is %s', async (more, problem) => {
  const { outcome } = await generate(schema.replace('.notNull()', more))
  if (problem) expect(outcome.stderr).toContain(problem)
  expect(outcome.code).toBe(problem ? 1 : 0)
})

import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const ask = (path: string, query: string) =>
  route.get(path).handler(async (c) => (await c.db.execute(sql.raw(query))).rows)

const definition = defineServer().routes(
  defineRouter({
    table: ask('/table', 'select * from orders'),
    column: ask('/column', 'select colour from pg_class'),
    zero: ask('/zero', 'select 1 / 0'),
    big: route.get('/big').handler((): unknown => ({ count: 1n })),
  }),
)

async function logOf(path: string, NODE_ENV: string) {
  const server = await startTestServer(definition, { database: true, env: { NODE_ENV } })
  onTestFinished(server.stop)
  const answer = await server.fetch(path)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('svc')
  return server.logged.find(({ msg }) => msg === 'request failed')
}

const migrationHint = expect.stringContaining('run `npx @svc/cli generate --name what-changed`')

it.each(['/table', '/column'])(
  'the log of development says how to make the migration that %s lacks',
  async (path) => {
    expect(await logOf(path, 'development')).toMatchObject({
      level: 'error',
      hint: migrationHint,
    })
  },
)

it('the log of development says what to do with a BigInt in an answer', async () => {
  const hint = expect.stringContaining('contains a BigInt')
  expect(await logOf('/big', 'development')).toMatchObject({ level: 'error', hint })
})

it('the log says nothing of it outside of development, nor of another failure', async () => {
  expect(await logOf('/table', 'test')).not.toHaveProperty('hint')
  expect(await logOf('/big', 'test')).not.toHaveProperty('hint')
  expect(await logOf('/zero', 'development')).not.toHaveProperty('hint')
})

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter, route } from '../routes/contract.ts'
import { startTestServer } from '../testing/test-server.ts'

it.each(['transaction', 'statement'])(
  'what collides is not tried again when its request has been answered: a %s',
  async (kind) => {
    let server: Awaited<ReturnType<typeof startTestServer>>
    let last = 0
    const collide = sql`select pg_sleep(0.1), collide()`
    const routes = defineRouter({
      collide: route.post('/collide').handler(async () => {
        const { db } = server.infrastructure.database ?? expect.fail('no database')
        if (kind === 'statement') await db.execute(collide)
        else await db.transaction((tx) => tx.execute(collide), { retry: true })
        return {}
      }),
    })
    const definition = defineServer().routes(routes).limits({ handlerMillis: 500 })
    server = await startTestServer(definition, { database: true })
    onTestFinished(() => server.stop())
    const { pool } = server.infrastructure.database ?? expect.fail('no database')
    await pool.query(`
      create sequence tries;
      create function collide() returns void language plpgsql as $$ begin
        perform nextval('tries'); raise exception using errcode = '40001'; end $$`)
    const tries = async () =>
      Number((await pool.query('select last_value from tries')).rows[0].last_value)
    const answer = await server.fetch('/collide', { method: 'POST' })
    expect(answer.status).toBe(503)
    last = await tries()
    expect(last).toBeGreaterThan(1)
    await wait(1000)
    // The one that was under way.
    expect(await tries()).toBeLessThanOrEqual(last + 1)
  },
)

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startCompany } from '../../oauth2/identity-assertions/testing/test-company.ts'
import { testAgents } from '../../oauth2/testing/test-agent.ts'
import { mail } from '../../oauth2/testing/test-exchange.ts'
import { files } from '../../oauth2/testing/test-resource-server.ts'

const company = await startCompany()
const { auth, host, services, employee, redeem } = company
afterAll(company.stop)
const agents = testAgents(auth)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()

async function waitingForRows() {
  const { rows } = await pool.query<{ waiting: number }>(`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows[0]?.waiting ?? 0
}

/** The sweep has deleted what is expired, and commits only once the request has met it. */
async function behindTheSweep<Answer>(request: () => Promise<Answer>) {
  const sweep = await pool.connect()
  await sweep.query('begin')
  const { rowCount } = await sweep.query(
    'delete from svc_auth.oauth2_grants where expires_at <= $1',
    [auth.clock.now()],
  )
  const answer = request()
  for (let tries = 0; tries < 400 && (await waitingForRows()) === 0; tries++) await wait(5)
  await sweep.query('commit')
  sweep.release()
  expect(rowCount).toBeGreaterThan(0)
  return answer
}

describe('a grant that has expired, and that the sweep deletes meanwhile', () => {
  it('is made again for an assertion of an identity provider', async () => {
    const { sub } = await employee()
    await redeem(sub)
    auth.clock.advance('31d')
    const { status, body } = await behindTheSweep(() => redeem(sub))
    expect([status, body.error]).toEqual([200, undefined])
    expect(await agents.isOpen(body.access_token)).toBe(true)
  })

  it('is made again for a token that is exchanged', async () => {
    const user = await auth.signedInUser()
    const client = await agents.register()
    const first = await agents.tokens(user, client, { resource: files })
    const relay = host.at('relay')
    const form = { resource: mail }
    await services.exchanged(relay, first.access_token, { form })
    auth.clock.advance('61m')
    const { body: next } = await agents.refresh(client, first.refresh_token)
    const { status, body } = await behindTheSweep(() =>
      services.exchange(relay, next.access_token, { form }),
    )
    expect([status, body.error]).toEqual([200, undefined])
  })
})

import { createTestDatabase } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { runs } from '../../test-env.ts'
import { type Aim, startPostgresProxy } from './postgres-proxy.ts'
import { stageVariables } from './scenarios/application.ts'
import { createKillableApi } from './scenarios/killable-api.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { startStage } from './scenarios/stage.ts'
import { struck, type Usual, usual } from './scenarios/strike.ts'

const database = await createTestDatabase()
const proxy = await startPostgresProxy(database.url)
const variables = stageVariables()
const stage = await startStage({ ...variables, DATABASE_URL: database.url })
const mail = `file:${stage.outbox}`
const api = createKillableApi(
  {
    ...variables,
    SVC_MAIL_URL: mail,
    SVC_SMS_URL: mail,
    SVC_SMS_COUNTRIES: '*',
    DATABASE_URL: proxy.url,
  },
  () => stage.clock.now(),
)
let kills = 0
afterAll(async () => {
  process.stdout.write(`F1: ${kills} kills in ${Object.keys(scenarios).length} scenarios\n`)
  api.kill()
  await stage.stop()
  proxy.stop()
  await database.drop()
})
const rig = { stage, proxy, pool: database.pool, instance: () => api.up() }

/** Every message takes an hour and a half, for each kill is a start. Else it is every commit, and some between. */
const isWhole = runs >= 5000
const between = 2

function aimsAt({ messages, commits }: Usual): Aim[] {
  if (isWhole) return Array.from({ length: messages + 1 }, (_, at) => ({ message: at + 1 }))
  const some = Array.from({ length: between }, (_, at) => ({
    message: Math.ceil((messages * (at + 0.5)) / between),
  }))
  return [...Array.from({ length: commits }, (_, at) => ({ commit: at + 1 })), ...some]
}

describe('F1, F5: the process killed at a message of an operation, and started again', () => {
  it.each(Object.entries(scenarios))(
    '%s: done or not done, and its repeat says which',
    async (_, scenario) => {
      // Longer than any proof is fresh: each scenario gives its own.
      stage.clock.advance('61m')
      const expected = await usual(rig, scenario)
      expect(expected.again).toBe(scenario.again)
      const wrong: string[] = []
      for (const aim of aimsAt(expected)) {
        const strikes = await struck(rig, scenario, {
          aim,
          blow: () => api.kill(),
          usual: expected,
        })
        wrong.push(...strikes.wrong.map((what) => `${JSON.stringify(aim)}: ${what}`))
        if (strikes.hasHit) kills += 1
      }
      expect(wrong).toEqual([])
    },
  )
})

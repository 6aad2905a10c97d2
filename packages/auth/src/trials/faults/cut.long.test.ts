import { createTestDatabase } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgresProxy } from './postgres-proxy.ts'
import { stageVariables } from './scenarios/application.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { startStage } from './scenarios/stage.ts'
import { struck, usual } from './scenarios/strike.ts'

const database = await createTestDatabase()
const proxy = await startPostgresProxy(database.url)
const stage = await startStage({ ...stageVariables(), DATABASE_URL: proxy.url })
let cuts = 0
afterAll(async () => {
  process.stdout.write(`F2: ${cuts} cuts in ${Object.keys(scenarios).length} scenarios\n`)
  await stage.stop()
  proxy.stop()
  await database.drop()
})
const rig = { stage, proxy, pool: database.pool, instance: async () => stage }

describe('F2, F5: the connection cut at every message of an operation', () => {
  it.each(Object.entries(scenarios))(
    '%s: done or not done, never a refusal, and its repeat says which',
    async (_, scenario) => {
      // Longer than any proof is fresh: each scenario gives its own.
      stage.clock.advance('61m')
      const expected = await usual(rig, scenario)
      expect(expected.again).toBe(scenario.again)
      const wrong: string[] = []
      for (let message = 1, isOver = false; !isOver; message++) {
        const strikes = await struck(rig, scenario, {
          aim: { message },
          blow: 'cut',
          usual: expected,
        })
        wrong.push(...strikes.wrong.map((what) => `message ${message}: ${what}`))
        isOver = !strikes.hasHit
        cuts += 1
      }
      expect(wrong).toEqual([])
    },
  )
})

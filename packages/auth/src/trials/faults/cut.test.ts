import { createTestDatabase } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { authRouter } from '../../router.ts'
import { startPostgresProxy } from './postgres-proxy.ts'
import { stageVariables } from './scenarios/application.ts'
import { operationOf, scenarios, withoutScenario } from './scenarios/scenarios.ts'
import type { Scenario } from './scenarios/stage.ts'
import { startStage } from './scenarios/stage.ts'
import { struck, usual } from './scenarios/strike.ts'

const database = await createTestDatabase()
const proxy = await startPostgresProxy(database.url)
const stage = await startStage({ ...stageVariables(), DATABASE_URL: proxy.url })
afterAll(async () => {
  await stage.stop()
  proxy.stop()
  await database.drop()
})
const rig = { stage, proxy, pool: database.pool, instance: async () => stage }

it('F2: every operation that writes has a scenario, and what has none only reads', () => {
  const covered = [...Object.keys(scenarios).map(operationOf), ...Object.keys(withoutScenario)]
  expect([...new Set(covered)].toSorted()).toEqual(Object.keys(authRouter.routes).toSorted())
  expect(Object.keys(scenarios).filter((name) => operationOf(name) in withoutScenario)).toEqual([])
})

describe('F2, F5: the connection to the database cut under an operation', () => {
  const some = ['login', 'pollDeviceAuth', 'completePasswordReset', 'mfaRegenerateRecoveryCodes']

  it.each(orFew(some, 2))('%s: it is done or it is not, and its repeat says so', async (name) => {
    const scenario = scenarios[name] as Scenario
    const expected = await usual(rig, scenario)
    const wrong: string[] = []
    const strike = async (aim: { message: number } | { commit: number }) => {
      const strikes = await struck(rig, scenario, { aim, blow: 'cut', usual: expected })
      wrong.push(...strikes.wrong.map((what) => `${JSON.stringify(aim)}: ${what}`))
    }
    await strike({ commit: 1 })
    for (let message = 1; message < expected.messages; message += 17) await strike({ message })
    expect(expected.again).toBe(scenario.again)
    expect(wrong).toEqual([])
  })
})

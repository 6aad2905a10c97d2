import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Application, missing, startApplication } from './application.ts'
import { attack, findsIn } from './attack.ts'
import { runScenario, type Scenario } from './scenario.ts'

describe.skipIf(missing)(`with all that a server has left${missing}`, () => {
  let app: Application
  let scenario: Scenario
  beforeAll(async () => {
    app = await startApplication()
    scenario = await runScenario(app)
  }, 180_000)
  afterAll(() => app?.stop())

  it('no part of it makes one request at any operation', async () => {
    const finds = await findsIn(app, scenario)
    expect(finds.length).toBeGreaterThan(1000)
    expect(await attack(app, scenario.victim, finds)).toEqual([])
  })
})

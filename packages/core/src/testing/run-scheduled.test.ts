import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineJob, defineJobRouter, defineServer } from '../index.ts'
import { startTestServer } from '../testing.ts'

const ran = vi.fn()
beforeEach(() => ran.mockReset())
const nightly = defineJob('nightly')
  .cron('0 3 * * *')
  .handler((input, { clock, attempt }) => ran(input, clock.now(), attempt))
const failing = defineJob('failing')
  .cron('0 4 * * *')
  .handler(() => {
    throw new RangeError('nothing to bill')
  })
const unscheduled = defineJob('mail').handler(ran)
const ofPackage = defineJob('package.tidy').cron('0 5 * * *').handler(ran)

const server = await startTestServer(
  defineServer()
    .lifecycle({ name: 'package', jobs: { tidy: ofPackage } })
    .jobs(defineJobRouter({ nightly, failing, unscheduled })),
  { database: true },
)
afterAll(() => server.stop())

describe('runScheduled', () => {
  it('runs a job as on its time, by the clock of the test, and has ended when it resolves', async () => {
    server.clock.advance('30d')
    await server.runScheduled('nightly')
    expect(ran).toHaveBeenCalledExactlyOnceWith(undefined, server.clock.now(), 1)
  })

  it('runs those of packages', async () => {
    await server.runScheduled('package.tidy')
    expect(ran).toHaveBeenCalledOnce()
  })

  it('throws what the job throws', async () => {
    await expect(server.runScheduled('failing')).rejects.toMatchObject({
      name: 'RangeError',
      message: 'nothing to bill',
    })
  })

  it('refuses a name that no scheduled job has, and says which there are', async () => {
    for (const name of ['nightlly', 'mail']) {
      await expect(server.runScheduled(name)).rejects.toThrow(
        `This server has no scheduled job "${name}". It has "package.tidy", "nightly", "failing", "svc.forget-expired".`,
      )
    }
  })
})

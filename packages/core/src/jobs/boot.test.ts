import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { connectDatabase } from '../database/server.ts'
import { defineServer } from '../definition/define-server.ts'
import { declaredEnv } from '../env/env.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestServer } from '../testing/test-server.ts'
import { defineJob, defineJobRouter } from './jobs.ts'
import { startJobs } from './server.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const env = declaredEnv([], {})
const noop = () => {}

describe('startJobs', () => {
  it('installs the queue once while eight instances boot at once on an empty database', async () => {
    const { log } = jobs
    const empty = await createTestDatabase()
    const ran = vi.fn()
    const shared = defineJob('shared').cron('0 6 * * *').handler(ran)
    const databases = await Promise.all(
      Array.from({ length: 8 }, () => connectDatabase(empty.url, { log, maxConnections: 3 })),
    )
    const instances = await Promise.all(
      databases.map((database) => startJobs([shared], { database, log, clock: systemClock, env })),
    )
    await shared.enqueue()
    await vi.waitFor(() => expect(ran).toHaveBeenCalledOnce(), 5000)
    const { rows } = await empty.pool.query(
      'select (select count(*) from svc_jobs.queue where name = $1) as queues, (select count(*) from svc_jobs.schedule) as schedules',
      ['shared'],
    )
    expect(rows).toEqual([{ queues: 1, schedules: 1 }])
    expect(jobs.lines).toEqual([])

    await Promise.all(instances.map(({ stop }) => stop()))
    await Promise.all(databases.map((database) => database.close()))
    await empty.drop()
    expect(ran).toHaveBeenCalledOnce()
  })

  it('refuses two jobs of one name, by that name', async () => {
    const one = defineJob('ship-mail').handler(noop)
    const two = defineJob('ship-mail').handler(noop)
    await expect(jobs.start({ one, two })).rejects.toThrow(
      'Two jobs are named ship-mail: rename one of them.',
    )
  })

  it('refuses a name that no queue can have', async () => {
    const wrong = defineJob('ship mail').handler(noop)
    await expect(jobs.start({ wrong })).rejects.toThrow(/^The job name "ship mail" has more than/)
  })

  it('runs the job of a package where the application has another one under the same key', async () => {
    const [ofPackage, ofApplication] = [vi.fn(), vi.fn()]
    const theirs = defineJob('package.notice').handler(ofPackage)
    const ours = defineJob('notice').handler(ofApplication)
    const definition = defineServer()
      .lifecycle({ name: 'package', jobs: { notice: theirs } })
      .jobs(defineJobRouter({ notice: ours }))
    const { stop } = await startTestServer(definition, { database: true })
    await Promise.all([theirs.enqueue(), ours.enqueue()])
    await vi.waitFor(() => {
      expect(ofPackage).toHaveBeenCalledOnce()
      expect(ofApplication).toHaveBeenCalledOnce()
    }, 5000)
    await stop()
  })

  it('refuses to start without a database', async () => {
    const { log } = jobs
    await expect(startJobs([], { log, clock: systemClock, env })).rejects.toThrow(
      /set DATABASE_URL/,
    )
  })

  it('lets go of everything when it fails half-way', async () => {
    const fine = defineJob('fine').handler(noop)
    const wrong = defineJob('wrong').cron('at six').handler(noop)
    const set = vi.spyOn(globalThis, 'setInterval')
    const cleared = vi.spyOn(globalThis, 'clearInterval')
    await expect(jobs.start({ fine, wrong })).rejects.toThrow(
      `The job wrong has an invalid schedule: .cron('at six', { timezone: 'UTC' }).`,
    )
    await expect(fine.enqueue()).rejects.toThrow(/No running server/)
    expect(set).toHaveBeenCalled()
    for (const { value } of set.mock.results) expect(cleared).toHaveBeenCalledWith(value)
  })
})

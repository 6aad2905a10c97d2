import { describe, expect, it, vi } from 'vitest'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()

const schedules = async () =>
  (await jobs.database.pool.query('select name, cron, timezone from svc_jobs.schedule')).rows

describe('a scheduled job', () => {
  it('runs once a tick however many instances there are, and without an input', async () => {
    const ran = vi.fn()
    const now = new Date()
    const thisMinute = `${now.getUTCMinutes()} * * * *`
    const tick = defineJob('tick').cron(thisMinute).handler(ran)
    await (await jobs.start({ tick })).stop()
    // As if no instance had looked at the schedules yet, so that the next one does at once.
    await jobs.database.pool.query('update svc_jobs.version set cron_on = null')
    await Promise.all([jobs.start({ tick }), jobs.start({ tick }), jobs.start({ tick })])
    await vi.waitFor(() => expect(ran).toHaveBeenCalled(), 15_000)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(ran).toHaveBeenCalledOnce()
    expect(ran.mock.calls[0]?.[0]).toBeUndefined()
  })

  it('is on time in the zone that it names', async () => {
    const daily = defineJob('daily').cron('0 6 * * *', { timezone: 'Asia/Seoul' }).handler(vi.fn())
    await jobs.start({ daily })
    expect(await schedules()).toContainEqual({
      name: 'daily',
      cron: '0 6 * * *',
      timezone: 'Asia/Seoul',
    })
  })

  it('takes another time, and none, from the next release on', async () => {
    const on = (cron: string) => defineJob('report').cron(cron).handler(vi.fn())
    const without = defineJob('report').handler(vi.fn())
    const releases = [on('0 6 * * *'), on('0 7 * * *'), without]
    const written = []
    for (const report of releases) {
      await (await jobs.start({ report })).stop()
      const rows = await schedules()
      written.push(rows.filter(({ name }) => name === 'report').map(({ cron }) => cron))
    }
    expect(written).toEqual([['0 6 * * *'], ['0 7 * * *'], []])
  })

  it.each([
    ['0 6 * *', 'UTC'],
    ['61 6 * * *', 'UTC'],
    ['0 6 * * *', 'Europe/Atlantis'],
  ])('is refused at start when its time is not understood: %s in %s', async (cron, timezone) => {
    const wrong = defineJob('wrong').cron(cron, { timezone }).handler(vi.fn())
    await expect(jobs.start({ wrong })).rejects.toThrow(/^The job wrong has an invalid schedule/)
  })
})

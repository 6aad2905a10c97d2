import { describe, expect, it } from 'vitest'
import { openConsole, operator, operatorWith } from './console-operator.ts'
import { keptJob } from './kept-job.ts'
import { app } from './running-web-app.ts'

describe('the jobs of the console, on a phone', () => {
  const stateOf = async ({ jobId, job }: { jobId: string; job: string }) => {
    const query = { query: { job, limit: 100 } }
    const { body } = await app.api.call('listJobs', undefined, operator.key, query)
    return body.jobs.find((each: { jobId: string }) => each.jobId === jobId)?.state
  }

  it('leads from a queue to a failed job, says why it failed, and runs it once more', async () => {
    const message = `no paper in ${'printer-'.repeat(20)}`
    const kept = await keptJob(app.api, 'failed', message)
    const { page, open, see } = await openConsole()
    await open('/admin/jobs')
    await page.getByRole('link', { name: `failed · ${kept.job}` }).click()
    // The page before has the job, too.
    await page.waitForURL(/[?&]state=failed/)
    const row = page.getByRole('listitem').filter({ hasText: kept.jobId })
    await row.getByText(`PrinterError: ${message}`).waitFor()
    await row.getByText('1 of 1 runs').waitFor()
    // The fields of the search are those of the link.
    expect(await page.getByLabel('Queue', { exact: true }).inputValue()).toBe(kept.job)
    expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('failed')
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
    await row.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    await see('The job runs once more.')
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => stateOf(kept), { timeout: 10_000 }).toBe('done')
  })

  it('is neither shown nor offered to an operator who may not see jobs', async () => {
    const { page, open, see } = await operatorWith(['user:read', 'audit:read'])
    await open('/admin/jobs')
    await see('the permission job:read')
    const tabs = page.getByRole('navigation', { name: 'Administration' })
    await tabs.getByRole('link', { name: 'People' }).waitFor()
    expect(await tabs.getByRole('link', { name: 'Jobs' }).count()).toBe(0)
  })
})

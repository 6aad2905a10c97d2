import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openConsole, operator, operatorWith } from './console-operator.ts'
import { signedInLongAgo } from './enrolled-visitor.ts'
import { keptJob } from './kept-job.ts'
import { app } from './running-web-app.ts'

describe('the jobs of the console, on a phone', () => {
  const stateOf = async ({ jobId, job }: { jobId: string; job: string }) => {
    const query = { query: { job, limit: 100 } }
    const { body } = await app.api.call('listJobs', undefined, operator.key, query)
    return body.jobs.find((each: { jobId: string }) => each.jobId === jobId)?.state
  }

  it('opens one job with its input and the whole error, and goes back', async () => {
    const kept = await keptJob(app.api, 'failed')
    const { page, open, see } = await openConsole()
    await open('/admin/jobs?state=failed')
    await page.getByRole('link', { name: kept.jobId }).click()
    await page.getByRole('heading', { name: kept.job, level: 1 }).waitFor()
    await see('Finished')
    await see('PrinterError: out of paper')
    await page.getByRole('link', { name: '← All queues' }).click()
    await page.getByRole('heading', { name: 'Queues' }).waitFor()
    for (const unknown of [randomUUID(), 'no-id']) {
      expect((await open(`/admin/jobs/${unknown}`))?.status()).toBe(404)
    }
  })

  it('cancels a job that waits by keyboard, after a question', async () => {
    const kept = await keptJob(app.api, 'created')
    const { page, open, see } = await openConsole()
    await open(`/admin/jobs?job=${kept.job}&state=waiting`)
    const row = page.getByRole('listitem').filter({ hasText: kept.jobId })
    await row.getByRole('button', { name: `Cancel ${kept.job} ${kept.jobId}` }).press('Enter')
    await see('Cancel this job? It will not run.')
    expect(await stateOf(kept)).toBe('waiting')
    const confirm = row.getByRole('button', { name: 'Yes, cancel it' })
    await expect.poll(() => confirm.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await see('The job is cancelled. It will not run.')
    expect(await stateOf(kept)).toBe('cancelled')
    // The button is gone with the job, and the focus is where the next ones are.
    await row.waitFor({ state: 'detached' })
    expect(
      await page.evaluate(() =>
        document.activeElement?.matches('.svc-focusable:has([role=alert])'),
      ),
    ).toBe(true)
  })

  it('asks an operator who signed in long ago for a proof, and then retries the job', async () => {
    const kept = await keptJob(app.api, 'failed')
    const admin = await app.api.createUser({ role: 'admin' })
    const { page, open, see } = await signedInLongAgo(admin)
    await open('/admin/jobs?state=failed')
    await page.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Your password', { exact: true }).fill(admin.password)
    expect(await stateOf(kept)).toBe('failed')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await see('The job runs once more.')
  })

  it('says what has happened where another operator was faster', async () => {
    const kept = await keptJob(app.api, 'failed')
    const { page, open, see } = await openConsole()
    await open('/admin/jobs?state=failed')
    const input = { params: { jobId: kept.jobId } }
    await app.api.call('retryJob', { job: kept.job }, operator.key, input)
    await page.getByRole('button', { name: `Try again ${kept.job} ${kept.jobId}` }).click()
    await see('Nothing was done: the job is in another state by now. Look at it again.')
  })

  it('goes on where a page ends, with the same search', async () => {
    const oldest = await keptJob(app.api, 'created')
    for (let n = 0; n < 20; n++) await keptJob(app.api, 'created')
    const { page, open } = await openConsole()
    await open(`/admin/jobs?job=${oldest.job}&state=waiting`)
    const row = page.getByRole('listitem').filter({ hasText: oldest.jobId })
    expect(await row.count()).toBe(0)
    await page.getByRole('link', { name: 'Next page →' }).click()
    await row.waitFor()
    await page.getByRole('link', { name: '← First page' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('waiting')
  })

  it('says what to do where no job is found', async () => {
    const { open, see } = await openConsole()
    await open('/admin/jobs?job=notice-log&state=cancelled')
    await see('No job is like that. Choose another queue or state.')
  })

  it('has no buttons for an operator who may only see jobs, and begins there', async () => {
    await keptJob(app.api, 'failed')
    const { page, open } = await operatorWith(['job:read'])
    await open('/admin')
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    await page.getByText('PrinterError: out of paper').first().waitFor()
    expect(await page.getByRole('button', { name: /^(?:Try again|Cancel)/ }).count()).toBe(0)
  })
})

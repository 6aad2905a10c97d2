import type { Page } from 'playwright-core'
import { keptJob } from './kept-job.ts'
import type { Picture } from './picture.ts'
import type { TestWebApp } from './test-web-app.ts'

export const jobPictures: Picture[] = [
  { name: 'jobs', path: '/admin/jobs', isSignedIn: true, until: hasFailed },
]

/** One job has failed and one waits, and of others there are none. */
async function hasFailed(page: Page, { api }: TestWebApp) {
  await api.auth.db.execute(`delete from svc_jobs.job where state <> 'active'`)
  await keptJob(api, 'failed', 'connect ECONNREFUSED 10.0.3.7:25')
  await keptJob(api, 'created')
  await page.reload()
  await page.getByText('ECONNREFUSED').waitFor()
}

import type { Page } from 'playwright-core'

/** Waits until a page has all of its parts: some come after their frame. */
export async function whenLoaded(page: Page) {
  await page.waitForLoadState('load')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = page.getByText(/^Loading\b.*…$/)
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
}

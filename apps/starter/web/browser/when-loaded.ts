import type { Page } from 'playwright-core'

/** Waits until a page has all of its parts, which come after their frame, and until scripts run what is typed there. */
export async function whenLoaded(page: Page) {
  await page.waitForLoadState('load')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = page.getByText(/^Loading\b.*…$/)
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
  await page.waitForFunction(areFormsReady)
}

/** Typed before, it is lost: React takes over each form by itself. A page without React has nothing to wait for. */
function areFormsReady() {
  if (!document.querySelector('script[src*="/_next/"]')) return true
  return [...document.forms].every((form) =>
    Object.keys(form).some((name) => name.startsWith('__reactProps')),
  )
}

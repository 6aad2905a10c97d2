import type { Page } from 'playwright-core'

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/**
 * From here on, sums up what moves on a page without its user having done something, as browsers
 * count it. Returns the function that tells the sum.
 */
export async function watchShift(page: Page) {
  let sum = 0
  await page.exposeFunction('svcShift', (value: number) => {
    sum += value
  })
  await page.addInitScript(() => {
    const { svcShift } = window as unknown as { svcShift: (value: number) => void }
    const watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (!entry.hadRecentInput) svcShift(entry.value)
      }
    })
    watch.observe({ type: 'layout-shift', buffered: true })
  })
  return () => sum
}

import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong on a page. */
export async function violationsOf(page: Page) {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // @ts-expect-error -- the script above has set it
    const { violations } = await window.axe.run()
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    )
  })
}

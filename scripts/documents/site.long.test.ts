import { afterAll, expect, it } from 'vitest'
import { launchBrowser } from '../browser/launch-browser.ts'
import { buildSite, faultsOf, looks, openLook, serveSite } from './built-site.ts'

const site = await buildSite()
if (!site.passed) throw new Error(site.output)
const [served, chromium] = await Promise.all([serveSite(site), launchBrowser()])
afterAll(async () => {
  await chromium.stop()
  served.stop()
  site.remove()
})

const paths = [...site.html.keys()].filter((path) => path !== '404.html')

it.each(looks)('every page passes axe, and fits the screen: $scheme, $width px', async (look) => {
  const page = await openLook(chromium.browser, look)
  const faults: string[] = []
  for (const path of paths) {
    const found = await faultsOf(page, `${served.url}/${path}`)
    faults.push(...found.map((each) => `${path}: ${each}`))
  }
  expect(faults).toEqual([])
})

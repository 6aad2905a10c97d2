import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import {
  barePage,
  scriptsOfEveryPage,
  versionOfNext,
} from '../../../../scripts/browser/bare-page.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

/*
 * Counted is what the page loads until it is idle, compressed with gzip, without the scripts that Next loads on every
 * page. Next adds its router of layouts and `next/link` to pages. A build puts them into files together with code of
 * ours, so what a bare page loads of them is subtracted as a number.
 */
it('the page to sign in loads at most 15 KB of scripts over what Next itself loads', async () => {
  expect(versionOfNext(), 'Measure the bare page again: bare-page.ts').toBe(barePage.next)
  const { page, open } = await newVisitor()
  const scripts = new Map<string, number>()
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.set(new URL(response.url()).pathname, gzipSync(await response.body()).length)
  })
  await open('/login')
  // Parts that load by themselves count too.
  await page.waitForLoadState('networkidle')
  const everywhere = scriptsOfEveryPage(app.folder)
  const own = [...scripts].filter(([path]) => !everywhere.some((file) => path.endsWith(file)))
  const bytes = own.reduce((sum, [, size]) => sum + size, 0)
  expect(own).not.toEqual([])
  expect(bytes - barePage.bytes, JSON.stringify(own)).toBeLessThan(15 * 1024)
})

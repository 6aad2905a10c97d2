import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { takeScreenshots } from '../../apps/starter/web/browser/take-screenshots.ts'
import { temporaryTree } from '../temporary-tree.ts'
import { launchBrowser } from './launch-browser.ts'
import { serveModules } from './serve-modules.ts'

const kept = resolve(import.meta.dirname, '../../docs/screenshots')

/** The share of pixels that look different; 1 where the size is another. */
async function difference(page: Page, one: Buffer, other: Buffer) {
  return page.evaluate(
    async (pictures) => {
      const [first, second] = await Promise.all(
        pictures.map(async (text) => {
          const blob = await (await fetch(`data:image/webp;base64,${text}`)).blob()
          const bitmap = await createImageBitmap(blob)
          const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          drawing?.drawImage(bitmap, 0, 0)
          return drawing?.getImageData(0, 0, bitmap.width, bitmap.height)
        }),
      )
      if (!first || !second || first.data.length !== second.data.length) return 1
      let different = 0
      for (let at = 0; at < first.data.length; at += 4) {
        const colours = [at, at + 1, at + 2].map((each) =>
          Math.abs((first.data[each] ?? 0) - (second.data[each] ?? 0)),
        )
        if (Math.max(...colours) > 48) different += 1
      }
      return different / (first.data.length / 4)
    },
    [one, other].map((each) => each.toString('base64')),
  )
}

/** How many frames the browser plays of the moving picture. Only a page with an address decodes it. */
async function framesOf(page: Page, picture: Buffer) {
  const served = await serveModules({})
  await page.goto(served.url)
  const count = await page.evaluate(async (text) => {
    const { body } = await fetch(`data:image/webp;base64,${text}`)
    if (!body) throw new Error('There is nothing to decode.')
    const decoder = new ImageDecoder({ data: body, type: 'image/webp' })
    await decoder.completed
    const { frameCount = 0 } = decoder.tracks.selectedTrack ?? {}
    for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
      await decoder.decode({ frameIndex })
    }
    return frameCount
  }, picture.toString('base64'))
  await served.stop()
  return count
}

// Names of ports, and letters that are drawn a little otherwise.
const allowed = 0.02

it('takes the pictures that the documents show: run "npm run screenshots" after a change of a page', async () => {
  const folder = temporaryTree()
  await takeScreenshots(pathToFileURL(`${folder}/`))
  expect(readdirSync(folder).toSorted()).toEqual(readdirSync(kept).toSorted())
  const chromium = await launchBrowser()
  const page = await chromium.browser.newPage()
  const changed: string[] = []
  for (const name of readdirSync(kept)) {
    const read = (where: string) => readFileSync(join(where, name))
    if ((await difference(page, read(kept), read(folder))) > allowed) changed.push(name)
  }
  const played = await framesOf(page, readFileSync(join(folder, 'tour.webp')))
  await chromium.stop()
  expect(changed).toEqual([])
  expect(played).toBeGreaterThan(10)
}, 900_000)

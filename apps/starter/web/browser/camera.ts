import type { BrowserContext } from 'playwright-core'
import sharp from 'sharp'
import { fewColours } from '../../../../scripts/browser/few-colours.ts'

/** A page whose pictures have no scrollbars. */
export async function openPage(context: BrowserContext) {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setScrollbarsHidden', { hidden: true })
  return page
}

// Pages have a few plain colours, and letters whose edges lie between two of them.
const mostColours = 32

/**
 * Playwright takes a PNG. Of few colours, a WebP without loss is smaller than one with loss, and has no noise around its
 * letters.
 */
export async function asWebp(png: Buffer) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
  const shown = fewColours(countsOf(pixels), mostColours)
  for (const [at, pixel] of pixels.entries()) pixels[at] = shown.get(pixel) ?? pixel
  const { width, height } = info
  const drawn = sharp(data, { raw: { width, height, channels: 4 } })
  return drawn.webp({ lossless: true, effort: 6 }).toBuffer()
}

function countsOf(pixels: Uint32Array) {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  return counts
}

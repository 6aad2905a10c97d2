import type { BrowserContext, Page } from 'playwright-core'

/** A page whose pictures have no scrollbars. */
export async function openPage(context: BrowserContext) {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setScrollbarsHidden', { hidden: true })
  return page
}

/** Playwright takes a PNG; the browser writes it as WebP, which is a tenth of that, and text stays sharp. */
export async function asWebp(page: Page, png: Buffer) {
  const blank = await page.context().newPage()
  const webp = await blank.evaluate(async (text) => {
    const picture = await (await fetch(`data:image/png;base64,${text}`)).blob()
    const bitmap = await createImageBitmap(picture)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.3 })
    return Array.from(new Uint8Array(await blob.arrayBuffer()))
  }, png.toString('base64'))
  await blank.close()
  return Uint8Array.from(webp)
}

import type { Browser, Locator, Page } from 'playwright-core'
import { animatedWebp } from '../../../../scripts/browser/animated-webp.ts'
import { asWebp } from './camera.ts'

/** A page of the film fills one of its two windows. */
export const windowSize = { width: 384, height: 560 }
/** A text of the film is as sharp as on most screens. */
export const scale = 1.5

const bar = 26
const margin = 8
const half = windowSize.width + 2 * margin
const size = { width: 2 * half, height: margin + bar + windowSize.height + 46 }
const screens = { y: 0, height: margin + bar + windowSize.height + 6 }

const sides = ['left', 'right'] as const
type Side = (typeof sides)[number]
type Windows = Record<Side, { title: string; page: Page }>
type Frame = Parameters<typeof animatedWebp>[1][number]

/** Shows two windows side by side, with a line of text below them. */
export async function startFilm(browser: Browser, windows: Windows) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: scale })
  const studio = await context.newPage()
  await studio.setContent(set(windows))
  const shown: Partial<Record<Side, string>> = {}
  const frames: Frame[] = []
  let caption = ''
  let pointedAt: Side | null = null

  /** The next frame: what both windows show now, for this long. */
  async function show(millis: number, says = caption) {
    const changed = new Set<Side>()
    for (const side of sides) if (await refresh(side)) changed.add(side)
    if (pointedAt) changed.add(pointedAt)
    const [only = null] = changed.size === 1 && says === caption ? changed : []
    await studio.locator('p').evaluate((line, text) => {
      line.textContent = text
    }, says)
    caption = says
    frames.push(await frameOf(only ? boxOf(only) : { x: 0, y: 0, ...size }, millis))
    pointedAt = null
  }

  /** Whether the window looks different from before. */
  async function refresh(side: Side) {
    const png = (await windows[side].page.screenshot({ animations: 'allow' })).toString('base64')
    if (png === shown[side]) return false
    shown[side] = png
    await studio.locator(`#${side} img`).evaluate(async (image: HTMLImageElement, text) => {
      image.src = `data:image/png;base64,${text}`
      await image.decode()
    }, png)
    return true
  }

  async function frameOf(clip: ReturnType<typeof boxOf>, millis: number): Promise<Frame> {
    const picture = await asWebp(await studio.screenshot({ clip }))
    const { x, y, width, height } = clip
    const [left = 0, top = 0, wide = 0, high = 0] = [x, y, width, height].map(
      (each) => each * scale,
    )
    return { picture, x: left, y: top, width: wide, height: high, millis }
  }

  return {
    show,
    /** Puts the pointer onto what is about to be clicked. */
    point: async (side: Side, at: Locator) => {
      await at.scrollIntoViewIfNeeded()
      const box = await at.boundingBox()
      if (!box) throw new Error('There is nothing to point at.')
      // Beside the words of a button.
      const place = { left: box.x + box.width * 0.85, top: bar + box.y + box.height * 0.7 }
      await movePointer(studio, side, place)
      pointedAt = side
    },
    hidePointer: async (side: Side) => {
      await movePointer(studio, side, null)
      pointedAt = side
    },
    /** What is shown now, as a picture of its own. */
    still: async () => asWebp(await studio.screenshot()),
    end: async () => {
      await context.close()
      return animatedWebp({ width: size.width * scale, height: size.height * scale }, frames)
    },
  }
}

function boxOf(side: Side) {
  return { x: side === 'left' ? 0 : half, width: half, ...screens }
}

function movePointer(studio: Page, side: Side, place: { left: number; top: number } | null) {
  return studio.locator(`#${side} i`).evaluate((pointer: HTMLElement, at) => {
    pointer.hidden = at === null
    if (at) Object.assign(pointer.style, { left: `${at.left}px`, top: `${at.top}px` })
  }, place)
}

function set(windows: Windows) {
  const figures = sides.map(
    (side) => `<figure id="${side}">
      <figcaption>${windows[side].title}</figcaption><img alt=""><i hidden></i>
    </figure>`,
  )
  return `<!doctype html>
<style>
  body { margin: 0; background: #dfe8e2; font: 16px/1.3 ui-sans-serif, system-ui, sans-serif; color: #17211c }
  figure { position: absolute; top: ${margin}px; margin: 0; width: ${windowSize.width}px; overflow: hidden;
    border-radius: 8px; background: #fff }
  #left { left: ${margin}px } #right { left: ${half + margin}px }
  figcaption { height: ${bar}px; line-height: ${bar}px; text-align: center; font-size: 13px; font-weight: 600;
    background: #c3d1c8 }
  img { display: block; width: ${windowSize.width}px; height: ${windowSize.height}px }
  i { position: absolute; width: 26px; height: 26px; margin: -13px; border-radius: 50%;
    background: rgb(214 120 20 / 45%); border: 2px solid #b45a00; box-sizing: border-box }
  p { position: absolute; bottom: 0; width: 100%; height: 38px; line-height: 36px; margin: 0; text-align: center;
    font-weight: 600 }
</style>
${figures.join('')}<p></p>`
}

/** One flow between a few parts, from the top to the bottom. Its steps can only name these parts. */
export interface Flow<Part extends string = string> {
  title: string
  parts: readonly Part[]
  steps: readonly Step<NoInfer<Part>>[]
}

type Step<Part extends string> = Arrow<Part> | Note<Part>

interface Arrow<Part extends string> {
  from: Part
  to: Part
  says: string
}

/** What one part does by itself. */
interface Note<Part extends string> {
  at: Part
  does: string
}

// As wide as the text of a page on a phone: nothing is made smaller there.
const width = 400
const edge = 8
const lineHeight = 17
const headHeight = 30
/** Fonts differ between machines: this is a wide one. */
const letterWidth = 7.4
const mostLetters = 47

/**
 * The drawing of a flow as an SVG file. It brings its own background, so that it can be read on a
 * page whose theme is not the one of the system.
 */
export function drawSequence(flow: Flow) {
  const { title, parts } = flow
  const placeOf = (part: string) => centreOf(parts.indexOf(part), parts.length)
  const drawn: string[] = []
  let y = edge + headHeight + 10
  let number = 0
  for (const step of flow.steps) {
    const isNote = 'at' in step
    if (!isNote) number += 1
    const { svg, height } = isNote
      ? drawNote(step.does, { x: placeOf(step.at), y })
      : drawArrow(`${number}. ${step.says}`, { from: placeOf(step.from), to: placeOf(step.to), y })
    drawn.push(svg)
    y += height
  }
  const height = y + edge
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(inWords(flow))}</desc>`,
    style,
    `<rect class="paper" width="${width}" height="${height}" rx="10"/>`,
    ...parts.map((part) => drawPart(part, { x: placeOf(part), height, of: parts.length })),
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

/** The same as sentences, for a reader who hears it. */
function inWords({ steps }: Flow) {
  return steps
    .map((step) =>
      'at' in step ? `${step.at}: ${step.does}` : `${step.from} to ${step.to}: ${step.says}`,
    )
    .map((each) => (each.endsWith('?') ? each : `${each}.`))
    .join(' ')
}

function centreOf(index: number, count: number) {
  const first = width / 2 / count + 4
  return Math.round(first + (index * (width - 2 * first)) / (count - 1))
}

function drawPart(name: string, { x, height, of }: { x: number; height: number; of: number }) {
  const boxWidth = Math.min(126, Math.floor(width / of) - 8)
  return [
    `<line class="life" x1="${x}" y1="${edge + headHeight}" x2="${x}" y2="${height - edge}"/>`,
    `<rect class="head" x="${x - boxWidth / 2}" y="${edge}" width="${boxWidth}" height="${headHeight}" rx="6"/>`,
    `<text class="name" x="${x}" y="${edge + 20}">${escaped(name)}</text>`,
  ].join('\n')
}

function drawArrow(text: string, { from, to, y }: { from: number; to: number; y: number }) {
  const lines = wrapped(text, mostLetters)
  const x = within((from + to) / 2, lines)
  const at = y + lines.length * lineHeight + 8
  const direction = Math.sign(to - from)
  const head = to - direction * 9
  return {
    svg: [
      drawLines(lines, { x, y, kind: 'says' }),
      `<line class="arrow" x1="${from}" y1="${at}" x2="${head}" y2="${at}"/>`,
      `<path class="tip" d="M${to - direction} ${at}L${head} ${at - 5}V${at + 5}Z"/>`,
    ].join('\n'),
    height: lines.length * lineHeight + 20,
  }
}

function drawNote(text: string, { x, y }: { x: number; y: number }) {
  const lines = wrapped(text, 34)
  const boxWidth = Math.round(longest(lines) * letterWidth) + 16
  const centre = within(x, lines)
  const height = lines.length * lineHeight + 10
  return {
    svg: [
      `<rect class="note" x="${centre - boxWidth / 2}" y="${y + 4}" width="${boxWidth}" height="${height}" rx="6"/>`,
      drawLines(lines, { x: centre, y: y + 5, kind: 'does' }),
      // It may stand beside the line of its part.
      `<circle class="tip" cx="${x}" cy="${y + 4}" r="4"/>`,
    ].join('\n'),
    height: height + 12,
  }
}

function drawLines(lines: string[], { x, y, kind }: { x: number; y: number; kind: string }) {
  return lines
    .map(
      (line, at) =>
        `<text class="${kind}" x="${x}" y="${y + (at + 1) * lineHeight}">${escaped(line)}</text>`,
    )
    .join('\n')
}

/** The place for the middle of a text that leaves all of it on the picture. */
function within(x: number, lines: string[]) {
  const half = Math.ceil((longest(lines) * letterWidth) / 2) + edge + 8
  return Math.round(Math.min(Math.max(x, half), width - half))
}

const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length))

/** In as few lines as it needs, which are about as long as each other. */
function wrapped(text: string, most: number) {
  const needed = broken(text, most).length
  let letters = most
  while (letters > 12 && broken(text, letters - 1).length === needed) letters -= 1
  return broken(text, letters)
}

function broken(text: string, most: number) {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < most)
      lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(word)
  }
  return lines
}

function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

// The colours are those of the site.
const style = `<style>
svg { --paper: #fdfdfb; --ink: #17211c; --line: #b9c3bb; --accent: #1a6b4c; --note: #e9f2ec }
@media (prefers-color-scheme: dark) {
  svg { --paper: #131b17; --ink: #e8ebe6; --line: #46544c; --accent: #6fd0a5; --note: #20302a }
}
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: var(--ink); text-anchor: middle }
.paper { fill: var(--paper) }
.head { fill: var(--paper); stroke: var(--accent); stroke-width: 1.5 }
.name { font-weight: 600; fill: var(--accent) }
.life { stroke: var(--line); stroke-dasharray: 3 4 }
.arrow { stroke: var(--accent); stroke-width: 1.5 }
.tip { fill: var(--accent) }
.note { fill: var(--note) }
.says { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round }
</style>`

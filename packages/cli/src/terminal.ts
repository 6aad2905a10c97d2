import { styleText } from 'node:util'
import { readEnv } from './env.ts'

type Style = Parameters<typeof styleText>[0]

/** `styleText` alone is not enough: with FORCE_COLOR it colours pipes, and overrules NO_COLOR. */
export function paint(style: Style, text: string, stream = process.stdout) {
  if (!stream.isTTY || readEnv().noColor) return text
  return styleText(style, text, { validateStream: false })
}

/** Pads the cells of every column but the last to equal width. */
export function aligned(rows: readonly string[][]) {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))),
  )
}

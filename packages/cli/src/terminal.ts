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

const steering = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** What users have written, without what would steer the terminal or turn the direction of its text. Lines stay. */
export function printable(text: string) {
  return text.replace(steering, '\u{fffd}')
}

/** JSON to read and to pipe: it has the same escaped. */
export function jsonText(value: unknown) {
  return JSON.stringify(value, null, 2).replace(steering, escaped)
}

function escaped(character: string) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

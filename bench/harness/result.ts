import { mkdirSync, writeFileSync } from 'node:fs'
import { type Machine, thisMachine } from './machine.ts'
import type { Source } from './source.ts'

export interface Goal {
  goal: string
  /** The measurement in words; null if it could not be measured. */
  measured: string | null
  reached: boolean | null
}

export interface Table {
  title: string
  columns: string[]
  rows: string[][]
}

/** The findings of a bench. */
export interface Measured {
  name: string
  machine: Machine
  quick: boolean
  /** What was run and how, in a sentence or two, for readers who don't have this code. */
  method: string
  tables: Table[]
  goals: Goal[]
  notes: string[]
}

/** The stored part. */
export interface Result extends Measured {
  source: Source
}

export interface Options {
  quick: boolean
  /** One short round of a few variants: whether the bench runs at all. Its figures mean nothing. */
  smoke?: boolean
  /** A smoke test of our own variant alone, in a bench that chooses its variants with `chosenOf`. */
  own?: boolean
}

/** The first ones, which are ours and a peer, if the run is a smoke test. */
export function chosenOf<Variant>({ smoke, own }: Options, variants: Variant[], few = 2) {
  if (own) return variants.slice(0, 1)
  return smoke ? variants.slice(0, few) : variants
}

/**
 * A failed variant is a note beside the figures of the others. A smoke test looks for nothing else.
 */
function noteOf({ smoke }: Options, leftOut: string[]) {
  if (smoke && leftOut.length > 0) throw new Error(leftOut.join('\n'))
  return leftOut
}

export const resultsFolder = new URL('../results/', import.meta.url)

export function resultOf(
  name: string,
  options: Options,
  {
    leftOut = [],
    notes,
    ...rest
  }: Omit<Measured, 'name' | 'machine' | 'quick'> & { leftOut?: string[] },
): Measured {
  const all = [...notes, ...noteOf(options, leftOut)]
  return { name, machine: thisMachine(), quick: options.quick, ...rest, notes: all }
}

export function goalOf(
  text: string,
  value: number | undefined,
  reached: (value: number) => boolean,
  unit: string,
): Goal {
  if (value === undefined || Number.isNaN(value))
    return { goal: text, measured: null, reached: null }
  return { goal: text, measured: `${rounded(value)} ${unit}`, reached: reached(value) }
}

/** Three significant figures, thousands separated: more would claim more than a bench can know. */
export function rounded(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}

export function save(result: Result) {
  mkdirSync(resultsFolder, { recursive: true })
  const file = new URL(`${result.name}.json`, resultsFolder)
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
}

export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (index === 0 ? '---' : '--:'))
  return [line(columns), line(rule), ...rows.map(line)].join('\n')
}

export function print(result: Measured) {
  for (const table of result.tables) {
    const widths = table.columns.map((column, index) =>
      Math.max(column.length, ...table.rows.map((row) => row[index]?.length ?? 0)),
    )
    const line = (cells: string[]) =>
      cells
        .map((cell, index) => {
          const width = widths[index] ?? 0
          return index === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
    console.log(`\n${table.title}\n`)
    console.log(line(table.columns))
    for (const row of table.rows) console.log(line(row))
  }
  console.log()
  for (const { goal, measured, reached } of result.goals) {
    const verdict = reached === null ? 'not measured' : reached ? 'reached' : 'missed'
    console.log(`${verdict.padEnd(12)}  ${goal}${measured === null ? '' : ` (${measured})`}`)
  }
  for (const note of result.notes) console.log(`note: ${note}`)
}

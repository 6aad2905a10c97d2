import type { ImportedLine } from '@svc/core'
import type { Report } from './report.ts'

export interface Counts {
  created: number
  exists: number
  /** The lines, by reason. */
  refused: Map<string, Refused>
  /** How many of what was created lack something, by its name. */
  left: Map<string, number>
  /** How many of each kind were created, if the file has several. */
  kinds: Map<string, number>
  /** How many of each kind are never imported. */
  leftOut: Map<string, number>
}

interface Refused {
  count: number
  lines: number[]
}

/** As many lines as a person looks at. */
const mostLines = 10
const everySeconds = 5

/**
 * Writes each row to the report, and prints the progress now and then. Of a row, only its line
 * number is kept.
 */
export async function countOutcomes(
  rows: AsyncIterable<ImportedLine>,
  report: Report,
): Promise<Counts> {
  const counts: Counts = {
    created: 0,
    exists: 0,
    refused: new Map(),
    left: new Map(),
    kinds: new Map(),
    leftOut: new Map(),
  }
  let done = 0
  let told = performance.now()
  try {
    for await (const row of rows) {
      await report.write(row)
      count(counts, row)
      done += 1
      if (performance.now() - told < everySeconds * 1000) continue
      told = performance.now()
      console.error(`${done} rows`)
    }
  } finally {
    // The report has what was imported before a failure.
    await report.close()
  }
  return counts
}

function count(counts: Counts, row: ImportedLine) {
  const { outcome, kind = 'row' } = row
  if (outcome === 'refused') return countRefused(counts, row)
  if (outcome === 'left') return countOne(counts.leftOut, kind)
  counts[outcome] += 1
  if (outcome !== 'created') return
  if (row.kind !== undefined) countOne(counts.kinds, kind)
  for (const name of row.left?.slice(0, mostLines) ?? []) {
    if (counts.left.size < 100) countOne(counts.left, name)
  }
}

function countRefused({ refused }: Counts, { line, reason = 'unknown' }: ImportedLine) {
  const of = refused.get(reason) ?? { count: 0, lines: [] }
  of.count += 1
  if (of.lines.length < mostLines) of.lines.push(line)
  refused.set(reason, of)
}

const countOne = (counts: Map<string, number>, name: string) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

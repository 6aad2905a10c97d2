import type { ImportedLine } from '@svc/core'
import type { Report } from './report.ts'

export interface Counts {
  created: number
  exists: number
  /** The lines, by reason. */
  refused: Map<string, Refused>
  /** How many accounts lack something, by its name. */
  left: Map<string, number>
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
  const counts: Counts = { created: 0, exists: 0, refused: new Map(), left: new Map() }
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

function count(counts: Counts, { line, outcome, reason = 'unknown', left = [] }: ImportedLine) {
  if (outcome !== 'refused') counts[outcome] += 1
  else {
    const refused = counts.refused.get(reason) ?? { count: 0, lines: [] }
    refused.count += 1
    if (refused.lines.length < mostLines) refused.lines.push(line)
    counts.refused.set(reason, refused)
  }
  if (outcome !== 'created') return
  for (const name of left.slice(0, mostLines)) {
    if (counts.left.size < 100) counts.left.set(name, (counts.left.get(name) ?? 0) + 1)
  }
}

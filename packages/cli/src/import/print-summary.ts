import { aligned, paint } from '../terminal.ts'
import type { Counts } from './count-outcomes.ts'

interface Told {
  isDry: boolean
  report: string | undefined
  /** The words of the report, explained for a person. */
  meanings: Readonly<Record<string, string>>
}

/**
 * How many of each, and where to look. Of a row only its line number: a terminal is visible to
 * others, and logged.
 */
export function printSummary(counts: Counts, { isDry, report, meanings }: Told) {
  if (counts.created + counts.exists + counts.refused.size + counts.leftOut.size === 0)
    console.log('The file has no rows.')
  const refused = [...counts.refused.values()].reduce((sum, { count }) => sum + count, 0)
  const rows = [
    [paint('green', isDry ? 'would be created' : 'created'), createdOf(counts)],
    ['existed already', String(counts.exists)],
    [refused > 0 ? paint('red', 'refused') : 'refused', String(refused)],
  ]
  console.log(aligned(rows).map(joined).join('\n'))
  for (const [reason, { count, lines }] of counts.refused) {
    console.log(
      `\n${reason}: ${count}\n  ${meanings[reason] ?? reason}\n  ${placesOf(lines, count)}`,
    )
  }
  if (counts.left.size > 0) console.log(`\n${leftBehind(counts)}`)
  if (counts.leftOut.size > 0) console.log(`\nnot imported: ${kindsOf(counts.leftOut)}`)
  if (report !== undefined) console.log(`\nresult of each row: ${report}`)
  if (isDry) console.log('\nThis was a dry run: nothing was changed.')
}

function createdOf({ created, kinds }: Counts) {
  return kinds.size === 0 ? String(created) : `${created} (${kindsOf(kinds)})`
}

const kindsOf = (kinds: ReadonlyMap<string, number>) =>
  [...kinds].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ')

const joined = (row: string[]) => row.join('   ')

function placesOf(lines: readonly number[], count: number) {
  const more = count > lines.length ? ', …' : ''
  return `${lines.length === 1 && count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

function leftBehind({ left, kinds }: Counts) {
  const where = kinds.size === 0 ? 'the created accounts' : 'what was created'
  const parts = [...left].map(([name, count]) => `${harmless(name)} of ${count}`)
  return `not imported for ${where}: ${parts.join(', ')}`
}

/** The name of a provider comes from the export. */
function harmless(text: string) {
  return text.replace(/[^\w.-]/g, '')
}

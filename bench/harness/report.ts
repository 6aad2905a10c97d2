import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { markdownTable, type Result, resultsFolder } from './result.ts'

const page = new URL('../../docs/performance.md', import.meta.url)
const begin = '<!-- bench: begin -->'
const end = '<!-- bench: end -->'

function section({ name, machine, method, tables, goals, notes, quick }: Result) {
  const verdict = (reached: boolean | null) =>
    reached === null ? 'not measured' : reached ? 'reached' : '**missed**'
  const goalRows = goals.map(({ goal, measured, reached }) => [
    goal,
    measured ?? '–',
    verdict(reached),
  ])
  return [
    `## ${name}`,
    `\`npm run bench ${name}${quick ? ' -- --quick' : ''}\` on ${machine.cores} cores of ${machine.cpu}, Node ${machine.node}, ${machine.date}.`,
    method,
    ...tables.flatMap((table) => [`${table.title}:`, markdownTable(table)]),
    markdownTable({ title: '', columns: ['Goal', 'Measured', ''], rows: goalRows }),
    ...notes.map((note) => `- ${note}`),
  ].join('\n\n')
}

/** Writes every kept result between the markers of the page, which it starts when there is none. */
export function report() {
  const results = readdirSync(resultsFolder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(file, resultsFolder), 'utf8')) as Result) // our own files
  const text = existsSync(page) ? readFileSync(page, 'utf8') : `# Performance\n\n${begin}\n${end}\n`
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`docs/performance.md lacks the markers ${begin} and ${end}`)
  }
  writeFileSync(page, `${before}${begin}\n\n${results.map(section).join('\n\n')}\n\n${end}${after}`)
  console.log(`docs/performance.md now says what ${results.length} results say`)
}

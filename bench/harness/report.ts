import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { figures } from './figures.ts'
import { markdownTable, type Result, resultsFolder } from './result.ts'

const begin = '<!-- bench: begin -->'
const end = '<!-- bench: end -->'

export function keptResults(): Result[] {
  return readdirSync(resultsFolder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(file, resultsFolder), 'utf8')) as Result) // our own files
}

/** Every page with figures: what is between its markers is written from the results. */
const pages: Record<string, (results: Result[]) => string> = {
  'docs/performance.md': (results) => results.map(section).join('\n\n'),
  'README.md': figures,
}

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

/** Each page as it is, and as the results would have it. */
export function reported(results: Result[]) {
  return Object.entries(pages).map(([path, write]) => {
    const page = new URL(`../../${path}`, import.meta.url)
    const is = readFileSync(page, 'utf8')
    const [before, rest] = is.split(begin)
    const after = rest?.split(end)[1]
    if (before === undefined || after === undefined) {
      throw new Error(`${path} lacks the markers ${begin} and ${end}`)
    }
    return { path, page, is, should: `${before}${begin}\n\n${write(results)}\n\n${end}${after}` }
  })
}

/** Writes every kept result into the pages. */
export function report() {
  const results = keptResults()
  for (const { path, page, should } of reported(results)) {
    writeFileSync(page, should)
    console.log(`${path} now says what ${results.length} results say`)
  }
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { figures, streamFigures } from './figures.ts'
import { markdownTable, type Result, resultsFolder } from './result.ts'
import { sourceTable } from './sources.ts'

export function keptResults(folder = resultsFolder): Result[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Result) // our own files
}

/** Every page with figures: the text between its markers is generated from the results. */
const pages: Record<string, (results: Result[]) => string> = {
  'docs/performance.md': (results) => results.map(section).join('\n\n'),
  'README.md': figures,
  'docs/guide/streams.md': streamFigures,
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

/** Each page as it is, and as the results would make it. */
export function reported(results: Result[]) {
  return Object.entries(pages).map(([path, write]) => {
    const page = new URL(`../../${path}`, import.meta.url)
    const is = readFileSync(page, 'utf8')
    return { path, page, is, should: withPart(is, 'bench', write(results)) }
  })
}

function withPart(page: string, name: string, text: string) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`A page lacks the markers ${begin} and ${end}`)
  }
  return `${before}${begin}\n\n${text}\n\n${end}${after}`
}

/** Writes every stored result into the pages. */
export function report() {
  const results = keptResults()
  for (const { path, page, should } of reported(results)) {
    writeFileSync(page, should)
    console.log(`${path} now says what ${results.length} results say`)
  }
  const page = new URL('../../docs/performance.md', import.meta.url)
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), 'sources', sourceTable(results)))
}

import { fileURLToPath } from 'node:url'
import { benches } from '../benches.ts'
import { ageOf } from './age.ts'
import { markdownTable, type Result } from './result.ts'
import { git } from './source.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the figures of a bench come from, for the page. */
export function sourceRow({ name, source, machine }: Result) {
  return [`[${name}](#${name})`, commitOf(source), machine.cpu, machine.date]
}

function commitOf({ commit, tree }: Result['source']) {
  if (commit === null) return 'unknown'
  const short = `\`${commit.slice(0, 10)}\``
  if (tree === 'as committed') return short
  return `${short}, ${tree === 'changed' ? 'changed' : 'found later'}`
}

/**
 * Its last column can't be reproduced: it counts the commits up to the one at which it was written.
 */
export function sourceTable(results: Result[]) {
  const rows = results.map((result) => {
    const age = ageOf(root, result, benches[result.name]?.measures ?? [])
    return [...sourceRow(result), age === null ? 'unknown' : `${age.commits}`]
  })
  const head = git(root, 'rev-parse', '--short=10', 'HEAD') ?? 'unknown'
  const columns = ['Bench', 'Commit', 'CPU', 'Date', `Changes since, until \`${head}\``]
  return markdownTable({ title: '', columns, rows })
}

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { coverage, report } from './clauses/clause-coverage.ts'
import { lastSkipped } from './clauses/skipped-clauses.ts'

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})

if (values.help) {
  console.log(
    'npm run clauses [-- --list] [area …]   which clauses of the specification has no test?',
  )
} else {
  const root = resolve(import.meta.dirname, '..')
  const found = coverage(root)
  const skipped = lastSkipped(root)?.map(({ id }) => id) ?? []
  console.log(report(found, { list: values.list, areas: positionals, skipped }))
  process.exitCode = found.errors.length > 0 ? 1 : 0
}

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { benches } from '../bench/benches.ts'
import { ageOf } from '../bench/harness/age.ts'
import { keptResults } from '../bench/harness/report.ts'
import type { Result } from '../bench/harness/result.ts'

const { values } = parseArgs({
  options: { release: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})

if (values.help) {
  console.log(`node scripts/check-figures.ts [--release]   fails where a kept result of a bench is stale
--release   as if the last commit were released`)
} else {
  const results = keptResults(pathToFileURL(join(process.cwd(), 'bench/results/')))
  const stale = results.map(told).filter(Boolean)
  process.exitCode = stale.length > 0 ? 1 : 0
}

/**
 * One release may have figures of older code, because a fix can't wait for a quiet machine. A
 * second one may not.
 */
function told(result: Result) {
  const { name } = result
  const age = ageOf(process.cwd(), result, benches[name]?.measures ?? [])
  if (age === null) {
    console.log(`note: ${name}: git does not know here what has changed since.`)
    return false
  }
  const releases = [...age.releases, ...(values.release && age.commits > 0 ? ['this one'] : [])]
  const isStale = releases.length > 1
  const without = releases.length > 0 ? `; released without it: ${releases.join(', ')}` : ''
  console.log(`${name}: commits since that changed what it measures: ${age.commits}${without}`)
  if (isStale) {
    console.log(
      `  Stale. Run "npm run bench ${name}" on a quiet machine, then "npm run bench report".`,
    )
  }
  return isStale
}

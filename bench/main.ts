import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import { print, save } from './harness/result.ts'
import { sourceOf } from './harness/source.ts'

function help() {
  console.log('usage: npm run bench <name> [-- --quick]\n')
  for (const [one, { about }] of Object.entries(benches)) console.log(`  ${one.padEnd(9)}${about}`)
  console.log(
    '  smoke    whether all of them run, in one short round each, or those named after it',
  )
  console.log('  report   writes the kept results into docs/performance.md')
  console.log('\n--quick  fewer and shorter rounds; the result is printed but not kept')
  console.log('--own    a smoke test without the peers, in the benches that can leave them out')
}

/**
 * Fails if a bench, or a variant that it chooses, does not run although everything that it needs is
 * here.
 */
async function smoke(chosen: string[], own: boolean) {
  for (const [one, each] of Object.entries(benches)) {
    if (chosen.length > 0 && !chosen.includes(one)) continue
    const missing = each.missing?.()
    if (missing) {
      console.log(`${one.padEnd(9)}skipped: ${missing}`)
      continue
    }
    const began = performance.now()
    await each.run({ quick: true, smoke: true, own })
    console.log(`${one.padEnd(9)}runs (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const name = positionals[0] ?? ''
const bench = benches[name]
if (name === 'report' && !values.help) {
  const { report } = await import('./harness/report.ts')
  report()
} else if (name === 'smoke' && !values.help) {
  await smoke(positionals.slice(1), values.own)
} else if (values.help || bench === undefined) {
  help()
  process.exitCode = values.help ? 0 : 2
} else if (bench.missing?.()) {
  console.error(`${name} can't run: ${bench.missing()}.`)
  process.exitCode = 1
} else {
  // Before it runs: you may commit meanwhile.
  const source = sourceOf(process.cwd())
  const measured = await bench.run({ quick: values.quick })
  print(measured)
  if (!values.quick) save({ ...measured, source })
}

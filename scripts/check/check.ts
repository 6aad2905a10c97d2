import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { packageChecks } from '../packages/checks.ts'
import { runStep, type Step } from './run-step.ts'

const webConfig = join('apps', 'starter', 'web', 'tsconfig.json')
// Each of the compiler's checkers works out types that the others need too, and it has four: more
// than there are cores only add work.
const checkers = ['--checkers', `${Math.min(4, availableParallelism())}`]

const build: Step = { name: 'build', commands: [['tsc', '-b', 'tsconfig.build.json', ...checkers]] }
const onSource: Step[] = [
  { name: 'format', commands: [['biome', 'check', '.']] },
  { name: 'types', commands: [['tsc', '-p', 'tsconfig.json', ...checkers]] },
  { name: 'imports', commands: [['node', 'scripts/check-imports.ts']] },
  {
    name: 'generated',
    commands: [['node', '--conditions=svc-source', 'scripts/capabilities/generate.ts', '--check']],
  },
  { name: 'clauses', commands: [['node', 'scripts/clauses.ts']] },
  { name: 'figures', commands: [['node', 'scripts/check-figures.ts']] },
  { name: 'words', commands: [['node', 'scripts/check-words.ts']] },
  { name: 'comments', commands: [['node', 'scripts/check-exports.ts']] },
]
// The web app sees the packages as their users do: built. The steps that read its types wait for
// the whole build: half a build gives types that mean nothing.
const onBuild: Step[] = [
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']] },
  // Declarations use code too, and they exist only after the build.
  { name: 'dead code', commands: [['knip', '--no-progress']] },
  { name: 'web types', commands: webTypes() },
  { name: 'packages', commands: publicPackages().flatMap((each) => packageChecks(each)) },
]

const began = performance.now()
const built = check(build)
const results = await Promise.all([
  built,
  ...onSource.map(check),
  ...onBuild.map(async (step) => {
    await built
    return check(step)
  }),
])
const failed = results.filter(({ passed }) => !passed)
for (const { name, output } of failed) console.log(`\n── ${name} ──\n${output.trim()}`)

const seconds = ((performance.now() - began) / 1000).toFixed(1)
const outcome =
  failed.length === 0 ? 'Everything holds' : `${failed.length} of ${results.length} failed`
console.log(`\n${outcome} (${seconds} s).`)
process.exitCode = failed.length === 0 ? 0 : 1

async function check(step: Step) {
  const result = await runStep(step)
  const verdict = result.passed ? 'ok' : 'FAILED'
  console.log(`${step.name.padEnd(10)} ${result.seconds.toFixed(1).padStart(5)} s  ${verdict}`)
  // A step's note about something that it could not check is printed even if it passes.
  for (const note of result.output.match(/^note: .*$/gm) ?? []) console.log(`  ${note}`)
  return result
}

function webTypes(): Step['commands'] {
  return existsSync(webConfig) ? [['tsc', '--noEmit', '-p', webConfig, ...checkers]] : []
}

/**
 * The folders of the packages that can be published: not private, and with something to import or
 * run.
 */
function publicPackages() {
  return readdirSync('packages')
    .map((name) => join('packages', name))
    .filter((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return !manifest.private && (manifest.exports || manifest.bin)
    })
}

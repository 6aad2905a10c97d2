import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packAndCheck } from './pack.ts'
import { carryOut, type Plan, planRelease } from './plan.ts'

const help = `npm run release                  build, check and pack everything, and write the version and CHANGELOG.md
npm run release -- --dry-run     the same, but write nothing, and say what would be written
npm run release -- --no-pack     neither build, check nor pack: the version and CHANGELOG.md alone`

const known = ['--dry-run', '--no-pack', '--help', '-h']
const args = process.argv.slice(2)
const unknown = args.find((each) => !known.includes(each))
const isDry = args.includes('--dry-run')
const packs = !args.includes('--no-pack')

if (unknown !== undefined) {
  console.error(`npm run release does not take "${unknown}".\n\n${help}`)
  process.exitCode = 2
} else if (args.includes('--help') || args.includes('-h')) console.log(help)
else process.exitCode = await release()

async function release() {
  try {
    const plan = planRelease('.', new Date())
    tell(plan)
    // Before anything is written: a failure leaves the repository as it was.
    if (packs) await check()
    if (!isDry) carryOut('.', plan)
    const folder = packs ? await pack() : null
    console.log(isDry ? '\nA dry run: nothing was written.' : whatRemains(plan, folder))
    return 0
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}` : error)
    return 1
  }
}

function tell({ current, version, section, files, spent }: Plan) {
  console.log(version === current ? `${version}, the first release` : `${current} → ${version}`)
  console.log(`\n${section}\n`)
  const verb = isDry ? ['would write', 'would delete'] : ['writes', 'deletes']
  for (const file of files.keys()) console.log(`${verb[0]} ${file}`)
  for (const file of spent) console.log(`${verb[1]} ${file}`)
}

async function check() {
  console.log('\nnpm run check')
  const scripts = [['check.mjs'], ['check-figures.ts', '--release']]
  for (const [script = '', ...flags] of scripts) {
    const child = spawn(process.execPath, [join('scripts', script), ...flags], { stdio: 'inherit' })
    const code = await new Promise((done) => child.on('close', done))
    if (code !== 0)
      throw new Error('The check failed, so nothing was released. Its output is above.')
  }
}

/** Returns where the tarballs are, unless they were made for the check only. */
async function pack() {
  const folder = isDry ? mkdtempSync(join(tmpdir(), 'svc-release-')) : resolve('.svc', 'release')
  if (!isDry) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    await packAndCheck(folder)
  } finally {
    if (isDry) rmSync(folder, { recursive: true, force: true })
  }
  return folder
}

function whatRemains({ version }: Plan, folder: string | null) {
  const publish = folder === null ? [] : ['npm publish .svc/release/<each>.tgz --access public']
  const steps = [
    'read the diff',
    `git commit --all --message 'Release ${version}'`,
    `git tag v${version}`,
    ...publish,
  ]
  return `\nWhat remains:\n${steps.map((step) => `  ${step}`).join('\n')}`
}

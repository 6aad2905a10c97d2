import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'

/** `broken` is no verdict: no test ran, or none could. */
export type Outcome = 'caught' | 'survived' | 'broken'

const races = 'trials/races'

// A race that notices a mutant does so in a few rounds, even if it is a variant of a row's.
const amounts = {
  SVC_TEST_ROUNDS: '40',
  SVC_TEST_SHARE_OF_VARIANTS: '1',
  SVC_TEST_RUNS: '20',
  SVC_TEST_SCHEDULES: '40',
  SVC_TEST_VALUES: 'all',
}

/** Runs the test that must notice a mutation, with the mutation. */
export async function runMutant({
  name,
  of = 'auth',
  testedIn = of,
  folder = races,
  test,
  title,
}: Mutation): Promise<Outcome> {
  const reports = await mkdtemp(join(tmpdir(), 'svc-mutant-'))
  const outputFile = join(reports, 'report.json')
  const reporter = ['--reporter=json', `--outputFile=${outputFile}`, '--bail=1']
  const file = `packages/${testedIn}/src/${folder}/${test}`
  const mode = folder === races ? ['--mode', 'races'] : []
  const vitest = spawn('vitest', ['run', ...mode, file, '-t', title, ...reporter], {
    env: { ...process.env, ...amounts, SVC_TEST_MUTANT: name },
    shell: process.platform === 'win32',
    stdio: 'ignore',
  })
  await once(vitest, 'close')
  const report = await readFile(outputFile, 'utf8').catch(() => '{}')
  await rm(reports, { recursive: true })
  return outcomeOf(JSON.parse(report))
}

function outcomeOf({ numFailedTests = 0, numPassedTests = 0 }) {
  if (numFailedTests > 0) return 'caught'
  return numPassedTests > 0 ? 'survived' : 'broken'
}

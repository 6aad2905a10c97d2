import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepSkipped, skippedClauses, unexcused } from '../clauses/skipped-clauses.ts'
import { findProgram } from '../find-program.ts'
import { count, line, type Report } from './counts.ts'
import { postgresInMemory } from './postgres.ts'
import { servers, startRedis } from './redis.ts'
import { suiteOf } from './suites.ts'

const { mode, env, args } = suiteOf(process.argv.slice(2))
const watches = args.some((each) => each === '--watch' || each === '-w')
const changedOnly = args.some((each) => /^--changed(=|$)/.test(each))
const isWhole = mode === 'test' && args.length === 0
const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
const reportFile = join(folder, 'report.json')

const redis = await startRedis()
console.log(redis.note)
const exitCode = await runVitest(['--mode', mode, ...args], redis.url)
await redis.stop()

const report = readReport()
rmSync(folder, { recursive: true, force: true })
// You end a watch by hand, even after a failed run.
const counts = count(report, watches ? 0 : exitCode, { mayBeEmpty: changedOnly })
if (changedOnly && report?.testResults.length === 0) console.log('No test imports a changed file.')
if (report && isWhole) counts.failed += tellSkipped(report)
console.log(line(counts))
process.exitCode = counts.failed > 0 ? 1 : 0

function runVitest(given: string[], cacheUrl: string | null) {
  // A few files are not worth a start of a second server beside the one on disk.
  const databaseUrl = isWhole ? postgresInMemory() : null
  const json = watches ? fileURLToPath(import.meta.resolve('./watch-report.ts')) : 'json'
  const reporters = ['--reporter=default', `--reporter=${json}`, `--outputFile.json=${reportFile}`]
  const vitest = spawn(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...given],
    {
      stdio: 'inherit',
      env: {
        ...env,
        ...(databaseUrl !== null && { DATABASE_URL_TEST: databaseUrl }),
        ...process.env,
        ...(cacheUrl !== null && { CACHE_URL_TEST: cacheUrl }),
      },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => vitest.kill(signal))
  }
  return new Promise<number>((resolve) => vitest.on('close', (code) => resolve(code ?? 1)))
}

/**
 * Prints the clauses that no test held in this run, and returns how many of them have no excuse.
 */
function tellSkipped(whole: Report) {
  const skipped = skippedClauses(whole)
  keepSkipped('.', skipped)
  for (const { id, reasons } of skipped) {
    console.log(
      `${id}: every test of this clause was skipped (${reasons.join(', ') || 'no reason'})`,
    )
  }
  const wrong = unexcused(skipped, isHere)
  for (const { id } of wrong) console.log(`${id}: what its tests need is here, so they must run`)
  return wrong.length
}

function isHere(program: string) {
  if (program === 'CACHE_URL_TEST') return redis.url !== null
  return findProgram(...(program === 'redis-server' ? servers : [program])) !== null
}

function readReport() {
  if (!existsSync(reportFile)) return null
  return JSON.parse(readFileSync(reportFile, 'utf8')) as Report // vitest's own format
}

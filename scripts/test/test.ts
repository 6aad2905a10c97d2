import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, line, type Report } from './counts.ts'
import { startRedis } from './redis.ts'
import { suiteOf } from './suites.ts'

const { mode, env, args } = suiteOf(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
const reportFile = join(folder, 'report.json')

const redis = await startRedis()
console.log(redis.note)
const exitCode = await runVitest(['--mode', mode, ...args], redis.url)
await redis.stop()

const counts = count(readReport(), exitCode)
rmSync(folder, { recursive: true, force: true })
console.log(line(counts))
process.exitCode = counts.failed > 0 ? 1 : 0

function runVitest(given: string[], cacheUrl: string | null) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const vitest = spawn(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...given],
    {
      stdio: 'inherit',
      env: { ...env, ...process.env, ...(cacheUrl === null ? {} : { CACHE_URL_TEST: cacheUrl }) },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => vitest.kill(signal))
  }
  return new Promise<number>((resolve) => vitest.on('close', (code) => resolve(code ?? 1)))
}

function readReport() {
  if (!existsSync(reportFile)) return null
  return JSON.parse(readFileSync(reportFile, 'utf8')) as Report // vitest's own format
}

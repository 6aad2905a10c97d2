import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

// A bench and its servers read the packages from source: a build may be older, or missing.
const main = join(import.meta.dirname, '..', 'bench', 'main.ts')
const flags = ['--conditions=svc-source', '--disable-warning=ExperimentalWarning']
const bench = spawn(process.execPath, [...flags, main, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => bench.kill(signal))
}
bench.on('close', (code, signal) => {
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0)
})

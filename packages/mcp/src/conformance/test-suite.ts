import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** A release of the suite, and the revision of the protocol in which it runs. */
export interface Suite {
  readonly packageName: string
  readonly revision: string
}

const modules = new URL('../../../../node_modules/', import.meta.url)

/** Runs all scenarios of a suite against a server: which of them pass, by name. */
export async function runSuite({ packageName, revision }: Suite, url: string) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conformance-'))
  try {
    const program = new URL(`${packageName}/dist/index.js`, modules).pathname
    const options = ['--suite', 'all', '--spec-version', revision, '-o', directory]
    await ended(spawn(process.execPath, [program, 'server', '--url', url, ...options]))
    const results = await readdir(directory)
    const scenarios = results.map(async (result) => {
      // The time of the run is behind the name.
      const name = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(result)?.[1] ?? result
      const checks = await readFile(join(directory, result, 'checks.json'), 'utf8')
      return [name, JSON.parse(checks) as readonly Check[]] as const
    })
    return new Map(await Promise.all(scenarios))
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** A warning is a rule that a server should follow. */
export const isMissed = ({ status }: Check) => status === 'FAILURE' || status === 'WARNING'

export const passes = (checks: readonly Check[]) =>
  !checks.some(isMissed) && checks.some(({ status }) => status === 'SUCCESS')

export const missedBy = (checks: readonly Check[]) =>
  checks.filter(isMissed).map(({ id, errorMessage }) => `${id}: ${errorMessage}`)

const ended = (child: ReturnType<typeof spawn>) =>
  new Promise<void>((resolve, reject) => {
    // It exits with 1 if a scenario fails: the test says which may.
    child.on('error', reject).on('close', () => resolve())
    child.stdout?.resume()
    child.stderr?.resume()
  })

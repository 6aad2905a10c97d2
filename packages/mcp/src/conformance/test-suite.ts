import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

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

/** Runs all scenarios of a suite against a server: the checks of each, by name. */
export const runSuite = (suite: Suite, url: string) =>
  results(suite, (directory) => {
    const options = ['--suite', 'all', '--spec-version', suite.revision, '-o', directory]
    return run(suite, ['server', '--url', url, ...options])
  })

/** The same with the scenarios of tasks. They are of an extension, and a suite runs those only by name. */
export const runTasks = (suite: Suite, url: string) =>
  results(suite, async (directory) => {
    const listed = await run(suite, ['list', '--server'])
    const names = listed.flatMap((line) => /- (tasks-\S+) \[extension\]/.exec(line)?.[1] ?? [])
    const one = (name: string) =>
      run(suite, ['server', '--url', url, '--scenario', name, '-o', directory])
    await Promise.all(names.map(one))
  })

/** A client that the suite plays, and the user at its browser. */
interface Signing {
  readonly issuer: string
  readonly resource: string
  /** Registers a client that redirects there: its id. */
  readonly register: (redirectUri: string) => Promise<string>
  /** Opens the page that the client sends its user to, up to the redirect. */
  readonly open: (url: string) => Promise<void>
}

/** The same with the scenarios for authorization servers. */
export const runAuthorization = (suite: Suite, { issuer, resource, register, open }: Signing) =>
  results(suite, async (directory) => {
    const port = `${await freePort()}`
    const clientId = await register(`http://127.0.0.1:${port}/callback`)
    const client = ['--client-id', clientId, '--port', port, '--resource', resource]
    const options = ['--spec-version', suite.revision, '-o', directory]
    await run(suite, ['authorization', '--url', issuer, ...client, ...options], async (line) => {
      if (line.startsWith(`${issuer}/`)) await open(line)
    })
  })

async function results(suite: Suite, running: (directory: string) => Promise<unknown>) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conformance-'))
  try {
    await running(directory)
    const found = (await readdir(directory)).map(async (result) => {
      // The time of the run is behind the name.
      const [, name = result] =
        /^(?:authorization-)?server-(.+?)-\d{4}-\d\d-\d\dT/.exec(result) ?? []
      const checks = await readFile(join(directory, result, 'checks.json'), 'utf8')
      return [name, JSON.parse(checks) as readonly Check[]] as const
    })
    return new Map(await Promise.all(found))
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

/** The lines that a run prints. It exits with 1 if a scenario fails: the test says which may. */
async function run(
  { packageName }: Suite,
  args: string[],
  onLine: (line: string) => Promise<unknown> = async () => undefined,
) {
  const program = new URL(`${packageName}/dist/index.js`, modules).pathname
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: string[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      await onLine(line)
    }
    return lines
  } finally {
    child.kill()
  }
}

/** A port of loopback that is free now. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { agentToken } from '../test-client.ts'
import { startConformanceApp } from './test-app.ts'
import { startProxy } from './test-proxy.ts'
import {
  isMissed,
  missedBy,
  passes,
  runAuthorization,
  runSuite,
  runTasks,
  type Suite,
} from './test-suite.ts'

const page = readFileSync(
  new URL('../../../../docs/reference/mcp-conformance.md', import.meta.url),
  'utf8',
)

/**
 * The rows of the page: a scenario, what it does in each run, and why it does not apply. `scenario:check` is a check
 * that does not apply, of a scenario that passes all others.
 */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', ...cells]) => ({ name: name.replaceAll('`', ''), cells }))

const suites = [
  { packageName: 'conformance-2025-11-25', revision: '2025-11-25', runs: [runSuite] },
  {
    packageName: 'conformance-2026-07-28',
    revision: '2025-11-25',
    runs: [runSuite, authorizationOf],
  },
  {
    packageName: 'conformance-2026-07-28',
    revision: '2026-07-28',
    runs: [runSuite, authorizationOf, runTasks],
  },
]

const proxy = await startProxy()
const auth = await startConformanceApp(proxy.origin)
const user = await auth.signedInUser()
const token = await agentToken(auth, user, 'test:use')
proxy.forwardTo({ url: auth.url, token })
afterAll(async () => {
  await proxy.stop()
  await auth.stop()
})

function authorizationOf(suite: Suite) {
  const { origin: issuer } = proxy
  return runAuthorization(suite, {
    issuer,
    resource: `${auth.url}/mcp`,
    async register(redirectUri) {
      const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
      return (await auth.call('registerOAuth2Client', metadata)).body.client_id
    },
    async open(url) {
      const consent = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
      const asked = Object.fromEntries(new URL(consent).searchParams)
      const given = { ...asked, decision: 'allow' }
      const { body } = await auth.call('createOAuth2AuthorizationCode', given, user.key)
      await fetch(body.redirectTo)
    },
  })
}

describe('docs/reference/mcp-conformance.md', () => {
  it.each(suites.map((suite, column) => ({ ...suite, column })))(
    'says which scenarios of $packageName pass in $revision',
    { timeout: 300_000 },
    async ({ column, runs, ...suite }) => {
      const all = await Promise.all(runs.map((run) => run(suite, proxy.url)))
      const results = new Map(all.flatMap((each) => [...each]))
      const found = [...results].flatMap(([name, checks]) => {
        const missed = new Set(checks.filter(isMissed).map(({ id }) => `${name}:${id}`))
        const excused = rows.map((row) => row.name).filter((each) => missed.has(each))
        const others = checks.filter(({ id }) => !excused.includes(`${name}:${id}`))
        return [[name, passes(others) ? 'passes' : 'no'], ...excused.map((each) => [each, 'no'])]
      })
      const said = rows
        .map(({ name, cells }) => [name, cells[column]])
        .filter(([, cell]) => cell !== '–')
      const missed = Object.fromEntries(
        [...results].map(([name, checks]) => [name, missedBy(checks)]),
      )
      expect(Object.fromEntries(found), JSON.stringify(missed, null, 2)).toEqual(
        Object.fromEntries(said),
      )
    },
  )

  it('says of each scenario that does not pass why it does not apply', () => {
    for (const { name, cells } of rows) {
      const why = cells[suites.length] ?? ''
      expect(why !== '', name).toBe(cells.includes('no'))
    }
  })
})

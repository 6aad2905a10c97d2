import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { agentToken } from '../test-client.ts'
import { startConformanceApp } from './test-app.ts'
import { startTokenProxy } from './test-proxy.ts'
import { isMissed, missedBy, passes, runSuite } from './test-suite.ts'

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
  { packageName: 'conformance-2025-11-25', revision: '2025-11-25' },
  { packageName: 'conformance-2026-07-28', revision: '2025-11-25' },
  { packageName: 'conformance-2026-07-28', revision: '2026-07-28' },
]

const auth = await startConformanceApp()
const token = await agentToken(auth, await auth.signedInUser(), 'test:use')
const proxy = await startTokenProxy(auth.url, token)
afterAll(async () => {
  await proxy.stop()
  await auth.stop()
})

describe('docs/reference/mcp-conformance.md', () => {
  it.each(suites.map((suite, column) => ({ ...suite, column })))(
    'says which scenarios of $packageName pass in $revision',
    { timeout: 300_000 },
    async ({ column, ...suite }) => {
      const results = await runSuite(suite, proxy.url)
      const found = [...results].flatMap(([name, checks]) => {
        const missed = new Set(checks.filter(isMissed).map(({ id }) => `${name}:${id}`))
        const excused = rows.map((row) => row.name).filter((each) => missed.has(each))
        const others = checks.filter(({ id }) => !excused.includes(`${name}:${id}`))
        return [[name, passes(others) ? 'passes' : 'no'], ...excused.map((each) => [each, 'no'])]
      })
      const said = rows
        .map(({ name, cells }) => [name, cells[column]])
        .filter(([, cell]) => cell !== '–')
      const missed = Object.fromEntries([...results].map(([name, all]) => [name, missedBy(all)]))
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

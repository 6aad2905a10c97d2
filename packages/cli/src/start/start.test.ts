import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { main } from '../main.ts'
import { createApplication } from '../testing/application.ts'
import { freePort } from '../testing/run-dev.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

it('svc start says what it looks for, where nothing starts the server', async () => {
  const here = process.cwd()
  process.chdir(temporaryFolder({ 'package.json': '{}', 'server.ts': '' }))
  onTestFinished(() => process.chdir(here))
  const err = vi.spyOn(console, 'error').mockReturnValue()
  expect(await main(['start'])).toBe(1)
  expect(err.mock.calls.join('\n')).toContain('There is no main.ts, which starts the server')
})

async function application(more: Record<string, string>) {
  const made = await createApplication({ 'package.json': '{ "type": "module" }', ...more })
  onTestFinished(() => made.remove())
  const ports = { SVC_PORT: `${await freePort()}`, PORT: `${await freePort()}` }
  const svc = (args: string[], env: Record<string, string> = {}) =>
    made.svc(args, { env: { NODE_OPTIONS: '--conditions=svc-source', ...ports, ...env } })
  return { ...made, svc }
}

const server = `import { defineServer } from '@svc/core'
export default defineServer().database({ migrations: new URL('./migrations/', import.meta.url) })
`

/** Stands in for Next's command: a build leaves a mark, and fails. */
const failingBuild = `require('node:fs').writeFileSync('built', ''); process.exit(1)`

describe('svc start', { timeout: 120_000 }, () => {
  it('builds nothing for production while a migration is pending', async () => {
    const { svc, root } = await application({
      'api/server.ts': server,
      'api/main.ts': 'setInterval(() => {}, 1_000)',
      'api/migrations/0001_orders.sql': 'create table orders (id text primary key);',
      'web/package.json': '{}',
      'web/next.config.js': '',
      'web/node_modules/next/dist/bin/next': failingBuild,
    })
    await svc(['keys', '--env'])
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: 'embedded:./data?fsync=off',
      SVC_API_URL: 'https://api.example.com',
    }
    const refused = await svc(['start'], env)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('app/0001_orders.sql is pending. Run "npx @svc/cli migrate"')
    expect(existsSync(join(root, 'web/built'))).toBe(false)

    expect((await svc(['migrate'], env)).code).toBe(0)
    expect((await svc(['start'], env)).stderr).toContain('Building the web app failed')
    expect(existsSync(join(root, 'web/built'))).toBe(true)
  })

  it.each([
    ['word.ts', 'export const word: = 1', 'word.ts:1\n'],
    ['word.ts', 'enum Word { A }', 'word.ts:1\n'],
    // Node prints the place of these by itself.
    ['word.js', 'export const word = = 1', /^file:\S+\/word.js:1\n/],
  ])('says where a syntax error is and why, without a stack: %s, %s', async (name, text, place) => {
    const { svc } = await application({
      'server.ts': server,
      'main.ts': `import './${name}'`,
      [name]: text,
    })
    const { code, stdout } = await svc(['start'])
    expect(code).toBe(1)
    const [first, ...lines] = stdout.replaceAll('API │ ', '').split(/(?<=\n)/)
    expect(first).toMatch(place)
    expect(lines.join('')).toMatch(
      /^(?:export|enum) [^\n]+\n *\^+\n\n?\[?SyntaxError: [^\n]+\n(?:\nNode.js \S+\n)?$/,
    )
  })

  it('shows the stack of any other error', async () => {
    const { svc } = await application({
      'server.ts': server,
      'main.ts': `JSON.parse('{')`,
    })
    const { stdout } = await svc(['start'])
    expect(stdout).toContain('main.ts:1:6')
  })
})

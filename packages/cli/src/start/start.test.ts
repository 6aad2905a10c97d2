import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { main as svcMain } from '../main.ts'
import { runStart } from '../testing/run-dev.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { application, main } from './test-start.ts'

it('svc start says what it looks for, where nothing starts the server', async () => {
  const here = process.cwd()
  process.chdir(temporaryFolder({ 'package.json': '{}', 'server.ts': '' }))
  onTestFinished(() => process.chdir(here))
  const err = vi.spyOn(console, 'error').mockReturnValue()
  expect(await svcMain(['start'])).toBe(1)
  expect(err.mock.calls.join('\n')).toContain('There is no main.ts, which starts the server')
})

const server = `import { defineServer } from '@svc/core'
export default defineServer().database({ migrations: new URL('./migrations/', import.meta.url) })
`

/** Stands in for Next's command: a build leaves a mark, and fails. */
const failingBuild = `require('node:fs').writeFileSync('built', ''); process.exit(1)`

describe('svc start', { timeout: 120_000 }, () => {
  describe('with variables in files', () => {
    const countOrders = `import { defineRouter, defineServer, route } from '@svc/core'
const countOrders = route
  .get('/orders')
  .handler(async (c) => (await c.db.execute('select count(*)::int from orders')).rows)
export default defineServer()
  .database({ migrations: new URL('./migrations/', import.meta.url) })
  .routes(defineRouter({ countOrders }))
`
    const token = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'

    async function withFiles(databaseUrl: string) {
      const made = await application({
        'server.ts': countOrders,
        'main.ts': main,
        'migrations/0001_orders.sql': 'create table orders (id text primary key);',
        'secrets/database-url': databaseUrl,
        'secrets/metrics-token': `${token}\n`,
      })
      const env = {
        DATABASE_URL_FILE: join(made.root, 'secrets/database-url'),
        SVC_OPS_METRICS_TOKEN_FILE: join(made.root, 'secrets/metrics-token'),
      }
      return { ...made, env }
    }

    it('serves with the database and the secret that they name', async () => {
      const { root, env } = await withFiles('embedded:./data?fsync=off\n')
      const started = await runStart(root, { SVC_PROCESSES: '1', ...env })
      await started.said('Svc is running')
      expect(await (await fetch(`${started.url}/orders`)).json()).toEqual([{ count: 0 }])
      expect(existsSync(join(root, 'data'))).toBe(true)
      const metrics = (headers = {}) => fetch(`${started.url}/_ops/metrics`, { headers })
      expect((await metrics()).status).not.toBe(200)
      expect((await metrics({ authorization: `Bearer ${token}` })).status).toBe(200)
      expect(await started.interrupt()).toBe(0)
    })

    it('refuses to start while one is not there, and another one is empty', async () => {
      const { root, env } = await withFiles('')
      const missing = join(root, 'secrets/nowhere')
      const started = await runStart(root, { ...env, SVC_OPS_METRICS_TOKEN_FILE: missing })
      expect(await started.ended).toBe(1)
      const problems = [
        'DATABASE_URL cannot be read: DATABASE_URL_FILE names an empty file',
        'SVC_OPS_METRICS_TOKEN cannot be read: SVC_OPS_METRICS_TOKEN_FILE names a file that does not exist',
      ]
      for (const problem of problems) expect(started.output()).toContain(problem)
    })
  })

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

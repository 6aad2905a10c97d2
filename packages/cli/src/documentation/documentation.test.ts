import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { Result } from './documentation.ts'
import { shippedPages } from './pages.ts'

const own = resolve(import.meta.dirname, '../..')
const repository = resolve(own, '../..')

/** Runs the command as it is typed, in this process. */
async function search(...typed: string[]) {
  const log = vi.spyOn(console, 'log').mockReset().mockReturnValue()
  const code = await main(['docs', 'search', ...typed])
  return { code, stdout: log.mock.calls.join('\n') }
}

async function found(...typed: string[]) {
  const { code, stdout } = await search('--json', ...typed)
  return { code, ...(JSON.parse(stdout) as { results: Result[]; unknown: string[] }) }
}

describe('svc docs search', () => {
  it('lists sections, each with the file and the line to read', async () => {
    const { code, stdout } = await search('who', 'may', 'call', 'a', 'route')
    expect(code).toBe(0)
    const [heading, place = '', excerpt] = stdout.split('\n')
    expect(heading).toBe('Routes › Who may call')
    expect(excerpt).toMatch(/^ {2}With sign-in, each route must say who may call it\./)
    const [path = '', line = 0] = place.split(':')
    expect(readFileSync(path, 'utf8').split('\n')[Number(line) - 1]).toBe('## Who may call')
  })

  it('prints the same as JSON', async () => {
    const { code, results, unknown } = await found('who may call a route')
    expect({ code, unknown }).toEqual({ code: 0, unknown: [] })
    expect(results).toHaveLength(5)
    expect(results[0]).toEqual({
      title: 'Routes',
      heading: 'Who may call',
      path: expect.stringMatching(/docs\/guide\/routes\.md$/),
      line: expect.any(Number),
      excerpt: expect.stringMatching(/^With sign-in, each route must say who may call it\./),
    })
  })

  it.each([
    ['upload a file', 'guide/uploads.md'],
    ['how do I run a job every night?', 'recipes/cron.md'],
    ['add a job', 'guide/events-and-jobs.md'],
    ['transactions', 'guide/database.md'],
    ['validate the body of a route', 'guide/routes.md'],
    ['RecentAuthenticationRequiredError', 'reference/error-codes.md'],
    ['c.paginated', 'guide/routes.md'],
    ['tenantTable', 'guide/tenant-tables.md'],
    ['csrf 403', 'guide/csrf.md'],
    ['npx @svc/cli keys rotate', 'guide/cli.md'],
  ])('finds "%s" in %s', async (asked, page) => {
    const { results } = await found(...asked.split(' '))
    expect(results[0]?.path).toMatch(new RegExp(`docs/${page}$`))
  })

  it('lists as many as --limit says, and two of a page at most', async () => {
    const { results } = await found('organization', '--limit', '30')
    expect(results).toHaveLength(30)
    const ofPage = Map.groupBy(results, ({ path }) => path)
    expect(Math.max(...[...ofPage.values()].map(({ length }) => length))).toBe(2)
  })

  it('says which words no page has, and finds the others', async () => {
    expect(await found('webhook', 'xyzzy')).toMatchObject({ code: 0, unknown: ['xyzzy'] })
    const { stdout } = await search('webhook', 'xyzzy')
    expect(stdout).toMatch(/\n\nNo page has the word "xyzzy"\.$/)
  })

  it.each(['xyzzy', '???'])(
    'exits 1 for "%s", of which there is nothing, and says what to try',
    async (asked) => {
      const { code, stdout } = await search(asked)
      expect(code).toBe(1)
      expect(stdout).toMatch(
        /^Nothing in the documentation says anything about ".+"\.\nTry other words, .+\n.*docs\/index\.md\.$/,
      )
      expect(await found(asked)).toMatchObject({ code: 1, results: [] })
    },
  )

  it('fits into 80 columns', async () => {
    const words = [
      'route',
      'which release works with which database',
      'organization',
      'export',
      'SVC_AUTH_TOKEN_ENCRYPTION_KEYS',
      'url',
    ]
    const printed = await Promise.all(words.map((word) => search(word, '--limit', '100')))
    const isPlace = /\.md:\d+$/
    const lines = printed.flatMap(({ stdout }) => stdout.split('\n'))
    expect(lines.length).toBeGreaterThan(500)
    expect(lines.filter((line) => line.length > 80 && !isPlace.test(line))).toEqual([])
  })

  it('shows no marks of Markdown', async () => {
    const { results } = await found('permission', '--limit', '100')
    const texts = results.map(({ excerpt }) => excerpt)
    expect(texts.filter((text) => /(?<!\/)\*\*|\]\(|^\||```|<!--/.test(text))).toEqual([])
  })
})

describe('the documentation of an installed command', () => {
  function installed(ships: boolean) {
    const root = temporaryFolder()
    for (const part of ['bin', 'src', 'package.json']) {
      cpSync(join(own, part), join(root, 'cli', part), { recursive: true })
    }
    const pages = ships ? shippedPages(join(repository, 'docs')) : []
    for (const page of pages) {
      cpSync(join(repository, 'docs', page), join(root, 'cli/dist/docs', page))
    }
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--conditions=svc-source',
        join(root, 'cli/bin/svc.js'),
        'docs',
        'search',
        '--limit',
        '1',
        'who may call a route',
      ],
      { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    )
    return { status, stdout, stderr }
  }

  it('is what the package ships', () => {
    const { status, stdout } = installed(true)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^Routes › Who may call\ncli\/dist\/docs\/guide\/routes\.md:\d+\n/,
      ),
    })
  })

  it('is asked for where it is missing', () => {
    const { status, stderr } = installed(false)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^There is no documentation in .*Install @svc\/cli again\.\n$/),
    })
  })

  it('has the guides, recipes and reference, and nothing of how Svc is built', () => {
    const pages = shippedPages(join(repository, 'docs'))
    expect(pages).toEqual(
      expect.arrayContaining([
        'index.md',
        'tutorial.md',
        'guide/routes.md',
        'recipes/upload.md',
        'reference/exports/core.md',
        'start/typed-api.md',
      ]),
    )
    expect(pages.filter((page) => /specification|performance|^\.|svg$/.test(page))).toEqual([])
  })
})

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { allow, createAuthLifecycle, createAuthRouter } from '../../packages/auth/src/server.ts'
import { startTestAuth } from '../../packages/auth/src/testing.ts'
import { readCommandLine } from '../../packages/cli/src/command-line.ts'
import { named } from '../../packages/cli/src/create/named.ts'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'
import { shippedPages } from '../../packages/cli/src/documentation/pages.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { runSvc } from '../../packages/cli/src/testing/application.ts'
import { createApi } from '../../packages/core/src/client.ts'
import { defineServer, route } from '../../packages/core/src/index.ts'

// What svc create makes for agents, tried in an application that it has made.

const root = resolve(import.meta.dirname, '..', '..')
// Ignored by git, and inside the repository so that its packages are found.
mkdirSync(join(root, '.svc'), { recursive: true })
const folder = mkdtempSync(join(root, '.svc', 'agents-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = named(starterFiles(), 'board')
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
for (const [path, text] of Object.entries(made)) {
  if (!path.startsWith('web/')) write(path, text)
}

const guide = made['AGENTS.md'] ?? ''
const skill = made['skills/svc/SKILL.md'] ?? ''
/** The files that the skill has an agent write, with their text. */
const files = [...skill.matchAll(/in `(api\/.+?)`:\n\n```ts\n([^]*?)^```$/gm)].map(
  ([, name = '', text = '']) => ({ name, text }),
)
const inCode = (page: string) => [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)

/** Runs a command of svc in the application. */
async function svc(...args: string[]) {
  const { code, stdout, stderr } = await runSvc(args, { from: folder })
  return { code, said: `${stdout}${stderr}` }
}

write(
  'tsconfig.json',
  JSON.stringify({
    extends: './api/tsconfig.json',
    compilerOptions: { customConditions: ['svc-source'] },
    include: ['api/**/*.ts'],
  }),
)
// Those that AGENTS.md says the compiler finds.
write(
  'api/mistakes.ts',
  `import { allow, createAuthRouter } from '@svc/auth/server'
import { Db } from '@svc/core'
import { route } from '@svc/core/contract'
import { noticePosted } from './events'

export const plain = createAuthRouter({ routes: { plain: route.get('/a').handler(() => ({})) } })
export const part = allow.public(route.get('/a/:id').handler(async (c) => (await c.data()).params.id))
export const user = allow.public(route.get('/b').handler((c) => c.user))
enum Kind {
  One,
}
export const used = [noticePosted, Kind.One] as unknown as Db
`,
)
let compiled: ReturnType<typeof runCommand> | undefined
/** Compiles the application once, with the mistakes. */
const compile = () => {
  compiled ??= runCommand(['tsc', '-p', folder, '--checkers', '1'])
  return compiled
}

describe.each([
  ['AGENTS.md', guide, 80],
  ['skills/svc/SKILL.md', skill, 60],
])('%s', (_name, page, most) => {
  it('is short', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(most)
  })

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(made['package.json'] ?? '')
    const run = inCode(page).flatMap((text) => /^npm (?:run )?(\w+)(?: -- (.*))?$/.exec(text) ?? [])
    expect(run.length).toBeGreaterThan(0)
    for (const text of inCode(page)) {
      const [, script = '', given] = /^npm (?:run )?(\w+)(?: -- (.*))?$/.exec(text) ?? []
      if (script && script !== 'install') expect(scripts).toHaveProperty(script)
      const isSvc = /^(?:svc|node start\.mjs) (\w+)$/.exec(scripts[script] ?? '')
      const [, typed = isSvc && [isSvc[1], given].filter(Boolean).join(' ')] =
        /^npx @svc\/cli (.+)$/.exec(text) ?? []
      if (typed) expect(() => readCommandLine(typed.split(' '))).not.toThrow()
    }
  })

  it('names only files that there are', () => {
    const docs = 'node_modules/@svc/cli/dist/docs/'
    const paths = inCode(page).filter((text) => /^[\w.@/-]+\/[\w.@/-]*$|^[\w-]+\.md$/.test(text))
    const isThere = (path: string) =>
      path.startsWith(docs)
        ? shippedPages(join(root, 'docs')).includes(path.slice(docs.length))
        : path in made ||
          files.some(({ name }) => name === path) ||
          Object.keys(made).some((each) => each.startsWith(path))
    const ours = paths.filter((path) => !/^@svc\/|^(?:\.svc|node_modules)\/$/.test(path))
    expect(ours.length).toBeGreaterThan(1)
    expect(ours.filter((path) => !isThere(path))).toEqual([])
    const packages = paths.flatMap((path) => /^@svc\/(\w+)/.exec(path)?.[1] ?? [])
    expect(packages.filter((name) => !existsSync(join(root, 'packages', name)))).toEqual([])
  })

  it('names only what `allow` has', () => {
    const ways = [...page.matchAll(/allow\.(\w+)/g)].map(([, way = '']) => way)
    expect(ways.filter((way) => !(way in allow))).toEqual([])
  })
})

describe('skills/svc/SKILL.md', () => {
  it('leads to a route whose test passes, and which compiles', { timeout: 300_000 }, async () => {
    expect(files.map(({ name }) => name)).toEqual(['api/routes/greet.ts', 'api/greet.test.ts'])
    for (const { name, text } of files) write(name, text)
    const [, imported = '', entry = ''] =
      /In `api\/router\.ts`, add `(.+?)`, and `(.+?)` to `routes`/.exec(skill) ?? []
    const router = made['api/router.ts'] ?? ''
    write(
      'api/router.ts',
      `${imported}\n${router.replace('  routes: {\n', `  routes: {\n    ${entry}\n`)}`,
    )

    const [, printed = ''] = /It prints\s+`(.+?)`/.exec(skill) ?? []
    expect(await svc('generate')).toMatchObject({ code: 0, said: expect.stringContaining(printed) })

    const conditions = ['svc-source', 'node']
    const resolving = { resolve: { conditions, externalConditions: conditions } }
    write(
      'vitest.config.ts',
      `export default ${JSON.stringify({ ...resolving, ssr: resolving, test: { testTimeout: 60_000, hookTimeout: 60_000 } })}\n`,
    )
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { VITEST, VITEST_MODE, VITEST_POOL_ID, VITEST_WORKER_ID, ...env } = process.env
    const { output } = await runCommand(['node', vitest, 'run', files.at(-1)?.name ?? ''], {
      cwd: folder,
      env: { ...env, NO_COLOR: '1' },
    })
    expect(output).toMatch(/Tests +2 passed \(2\)/)
    const { output: refused } = await compile()
    const places = refused.match(/^\S.*?(?=\(\d+,\d+\): error)/gm) ?? []
    expect(new Set(places.map((path) => basename(path)))).toEqual(new Set(['mistakes.ts']))
  })
})

describe('what AGENTS.md says of mistakes', () => {
  const rows = guide.slice(guide.indexOf('## Mistakes')).match(/^\| .* \| .* \|$/gm) ?? []
  const quoted = rows.flatMap((row) => {
    const [, , says = ''] = row.split('|')
    return [...says.matchAll(/(compiler|server|client|check`|generate` writes nothing): `(.+?)`/g)]
  })
  /** The messages that the page quotes from one who says them. */
  const messagesOf = (who: string) =>
    quoted.filter(([, said]) => said === who).map(([, , message = '']) => message)

  it('is all looked at here', () => {
    expect(quoted).toHaveLength(11)
    expect(rows.length).toBeGreaterThan(quoted.length)
  })

  it('is what the compiler says', { timeout: 300_000 }, async () => {
    const { output } = await compile()
    const messages = messagesOf('compiler')
    expect(messages).toHaveLength(6)
    for (const message of messages) expect(output).toContain(message)
  })

  it('is what svc generate says', async () => {
    const schema = made['api/schema.ts'] ?? ''
    const writeColumn = (column: string) =>
      write('api/schema.ts', schema.replace('author: text().notNull(),', `$&\n  more: ${column},`))
    writeColumn('text()')
    const routeMap = made['api/route-map.generated.ts'] ?? ''
    write('api/route-map.generated.ts', routeMap.replace(/^ {2}getMe: .*\n/m, ''))
    const checked = await svc('generate', '--check')
    expect(checked.code).toBe(1)
    expect(messagesOf('check`')).toHaveLength(2)
    for (const message of messagesOf('check`')) expect(checked.said).toContain(message)

    writeColumn('text().notNull()')
    const [required = 'a message'] = messagesOf('generate` writes nothing')
    expect(await svc('generate')).toEqual({ code: 1, said: expect.stringContaining(required) })
  })

  it('is what the server and the client say', async () => {
    const remove = allow.may('notice:delete')(route.get('/a').handler(() => ({})))
    const definition = defineServer()
      .routes(createAuthRouter({ routes: { remove } }))
      .lifecycle(createAuthLifecycle())
    const [server = 'a message'] = messagesOf('server')
    await expect(startTestAuth({ definition })).rejects.toThrow(server)
    const api = createApi<never>({ baseUrl: 'http://localhost:9', routeMap: {} }) as Record<
      string,
      { call(): Promise<unknown> }
    >
    const [client = 'a message'] = messagesOf('client')
    await expect(api['greet']?.call()).rejects.toThrow(client)
  })
})

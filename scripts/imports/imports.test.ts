import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'
import { browserSafety } from './browser-safety.ts'
import { type House, unlistedCapabilities } from './house.ts'
import { readSource } from './read-source.ts'
import { refusals } from './refusals.ts'

const core = { name: '@svc/core', exports: { '.': { 'svc-source': './src/index.ts' } } }
const auth = { name: '@svc/auth', exports: { './server': { 'svc-source': './src/server.ts' } } }

function refused(files: Record<string, string>, house: House = {}) {
  const root = temporaryTree({
    'packages/core/package.json': JSON.stringify(core),
    'packages/auth/package.json': JSON.stringify(auth),
    ...files,
  })
  return refusals(root, house).map(({ path, line, rule }) => `${path}:${line}: ${rule}`)
}

describe('cycles', () => {
  it('refuses files that import each other, however long the way round', () => {
    const found = refused({
      'packages/core/src/a.ts': `// the first\nimport { b } from './b.ts'\nexport const a = b`,
      'packages/core/src/b.ts': `export { c as b } from './c.ts'`,
      'packages/core/src/c.ts': `export const c = () => import('./a.ts')`,
    })
    expect(found).toEqual([
      'packages/core/src/a.ts:2: an import cycle: packages/core/src/a.ts → ' +
        'packages/core/src/b.ts → packages/core/src/c.ts → packages/core/src/a.ts',
    ])
  })

  it('counts type-only imports', () => {
    const found = refused({
      'packages/core/src/a.ts': `import type { B } from './b.ts'\nexport type A = B`,
      'packages/core/src/b.ts': `export type B = import('./a.ts').A`,
    })
    expect(found).toHaveLength(1)
  })

  it('follows a package through its exports', () => {
    const found = refused({
      'packages/core/src/index.ts': `export * from './a.ts'`,
      'packages/core/src/a.ts': `import { b } from '@svc/core'\nexport const a = b`,
    })
    expect(found.join()).toContain('an import cycle')
  })

  it('lets two files share a third', () => {
    const found = refused({
      'packages/core/src/a.ts': `import './b.ts'\nimport './c.ts'`,
      'packages/core/src/b.ts': `import './c.ts'`,
      'packages/core/src/c.ts': `export {}`,
    })
    expect(found).toEqual([])
  })
})

describe('layers', () => {
  const house = { core: [['errors', 'html.ts'], ['request'], ['server']] }
  const whole = {
    'packages/core/src/errors/errors.ts': '',
    'packages/core/src/html.ts': '',
    'packages/core/src/request/request.ts': `import '../errors/errors.ts'\nimport '../html.ts'`,
    'packages/core/src/server/server.ts': `import '../request/request.ts'\nimport '../errors/errors.ts'`,
  }
  const remedy = (from: string) =>
    `move what both need to a lower layer, or let ${from} declare an interface of what it needs`

  it('lets each layer import those below it', () => {
    expect(refused(whole, house)).toEqual([])
  })

  it('refuses an arrow that goes up, by type or at run time', () => {
    const up = {
      'packages/core/src/html.ts': '',
      'packages/core/src/errors/envelope.ts': `import type { Answer } from '../request/request.ts'\nexport type A = Answer`,
      'packages/core/src/request/request.ts': `export const load = () => import('../server/server.ts')`,
      'packages/core/src/server/server.ts': '',
    }
    expect(refused(up, house)).toEqual([
      `packages/core/src/errors/envelope.ts:1: errors → request, which is in a higher layer of core: ${remedy('errors')}`,
      `packages/core/src/request/request.ts:1: request → server, which is in a higher layer of core: ${remedy('request')}`,
    ])
  })

  it('refuses an arrow within a layer', () => {
    const beside = { 'packages/core/src/errors/page.ts': `import '../html.ts'` }
    expect(refused({ ...whole, ...beside }, house)).toEqual([
      `packages/core/src/errors/page.ts:1: errors → html.ts, which is in the same layer of core: ${remedy('errors')}`,
    ])
  })

  it('refuses a folder without a layer, and a layer without a folder', () => {
    const { 'packages/core/src/html.ts': _, ...rest } = whole
    const other = {
      'packages/core/src/request/request.ts': '',
      'packages/core/src/jobs/job.ts': `import '../server/server.ts'`,
    }
    expect(refused({ ...rest, ...other }, house)).toEqual([
      'packages/core/src/jobs/job.ts:1: jobs has no layer: add it to core in scripts/imports/house.ts, above all that it imports',
      'scripts/imports/house.ts:1: core has no html.ts: take it out of the list',
    ])
  })

  it('has one layer for the capabilities that it does not name', () => {
    const other = [['errors', 'html.ts'], ['request'], [unlistedCapabilities], ['server']]
    const files = {
      ...whole,
      'packages/core/src/toy/capability.ts': `import './toy.ts'`,
      'packages/core/src/toy/toy.ts': `import '../request/request.ts'`,
      'packages/core/src/game/capability.ts': `import '../toy/toy.ts'\nimport '../server/server.ts'`,
      'packages/core/src/jobs/job.ts': '',
    }
    expect(refused(files, { core: other })).toEqual([
      'packages/core/src/jobs/job.ts:1: jobs has no layer: add it to core in scripts/imports/house.ts, above all that it imports',
      `packages/core/src/game/capability.ts:1: game → toy, which is in the same layer of core: ${remedy('game')}`,
      `packages/core/src/game/capability.ts:2: game → server, which is in a higher layer of core: ${remedy('game')}`,
    ])
  })

  it('lets tests, and programs that only tests run, import everything', () => {
    const tests = {
      'packages/core/src/errors/errors.test.ts': `import '../server/server.ts'`,
      'packages/core/src/errors/faults/program.ts': `import '../../server/server.ts'`,
      'packages/core/src/testing/server.ts': `import '../server/server.ts'`,
    }
    expect(refused({ ...whole, ...tests }, house)).toEqual([])
  })

  it('leaves a package that is not in the list alone', () => {
    const other = {
      'packages/auth/src/keys/list.ts': `import '../login/login.ts'`,
      'packages/auth/src/login/login.ts': `import '../keys/keys.ts'`,
      'packages/auth/src/keys/keys.ts': '',
    }
    expect(refused({ ...whole, ...other }, house)).toEqual([])
  })
})

describe('folderCircles', () => {
  const house = { core: [['streams']] }

  it('refuses folders that reach each other, at any depth', () => {
    const found = refused(
      {
        'packages/core/src/streams/parts/sse/a.ts': `import '../socket/b.ts'`,
        'packages/core/src/streams/parts/sse/d.ts': '',
        'packages/core/src/streams/parts/socket/b.ts': `import '../access/c.ts'`,
        'packages/core/src/streams/parts/access/c.ts': `import '../sse/d.ts'`,
      },
      house,
    )
    expect(found).toEqual([
      'packages/core/src/streams/parts/access/c.ts:1: a circle in packages/core/src/streams/parts: access → sse → socket → access. Move what two of them need into one that imports neither',
    ])
  })

  it('refuses a folder and a file that reach each other', () => {
    const found = refused(
      {
        'packages/core/src/streams/stream.ts': `import './sse/a.ts'`,
        'packages/core/src/streams/sse/a.ts': '',
        'packages/core/src/streams/sse/b.ts': `import '../stream.ts'`,
      },
      house,
    )
    expect(found.join()).toContain('a circle in packages/core/src/streams: sse → stream.ts → sse.')
  })
})

describe('arrows', () => {
  it('refuses an import against an arrow, by type too', () => {
    const found = refused({
      'packages/core/src/a.ts': `import type { User } from '@svc/auth'\nexport type A = User`,
      'packages/notification/src/b.ts': `import '@svc/web/proxy'`,
    })
    expect(found).toEqual([
      'packages/core/src/a.ts:1: core may import no other package, not auth (@svc/auth)',
      'packages/notification/src/b.ts:1: notification may import core, not web (@svc/web/proxy)',
    ])
  })

  it('refuses a path into another package', () => {
    const found = refused({
      'packages/auth/src/a.ts': `import '../../core/src/b.ts'`,
      'packages/core/src/b.ts': `export {}`,
    })
    expect(found).toEqual([
      "packages/auth/src/a.ts:1: auth reaches into core by path: import the package's entry by its name",
    ])
  })

  it('gives web @svc/auth and the types of contracts, and its tests the server', () => {
    const found = refused({
      'packages/web/src/effects.ts': `import type { A } from '@svc/auth/contract'\nimport '@svc/auth/contract'`,
      'packages/web/src/guards.ts': `import '@svc/auth'\nimport '@svc/auth/server'`,
      'packages/web/src/guards.test.ts': `import '@svc/auth/server'`,
    })
    expect(found).toEqual([
      'packages/web/src/effects.ts:2: web may import @svc/auth only, and types of @svc/auth/contract, not @svc/auth/contract',
      'packages/web/src/guards.ts:2: web may import @svc/auth only, and types of @svc/auth/contract, not @svc/auth/server',
    ])
  })

  it('gives web to the pages of organizations only', () => {
    const imports = `import '@svc/web/account'`
    const found = refused({
      'packages/organizations/src/pages/view.ts': imports,
      'packages/organizations/src/web.ts': imports,
      'packages/organizations/src/members/members.ts': imports,
      'packages/web/src/page.ts': `import '@svc/organizations'`,
    })
    expect(found).toEqual([
      'packages/organizations/src/members/members.ts:1: only the pages of organizations may import web, not packages/organizations/src/members/members.ts',
      'packages/web/src/page.ts:1: web may import core and auth, not organizations (@svc/organizations)',
    ])
  })

  it('lets apps, scripts and benches import everything', () => {
    const imports = `import '@svc/auth/server'\nimport '@svc/web/next'`
    const inside = `${imports}\nimport '../packages/core/src/b.ts'`
    const found = refused({
      'apps/starter/api/main.ts': imports,
      'bench/a.ts': inside,
      'packages/core/src/b.ts': '',
    })
    expect(found).toEqual([])
  })
})

describe('doors', () => {
  const keys = Object.fromEntries(
    ['keys', 'contract', 'client', 'errors', 'capability', 'list-keys', 'store', 'schema'].map(
      (name) => [`packages/auth/src/keys/${name}.ts`, `export const a = 1`],
    ),
  )
  const importing = (...names: string[]) =>
    names
      .map((name) => `export { a as ${name.replaceAll(/\W/g, '')} } from '../${name}'`)
      .join('\n')
  const remedy = (folder: string) =>
    `which is private: import it from ${folder}/${folder}.ts, or from its ` +
    'contract.ts, client.ts, errors.ts, events.ts, fields.ts, env.ts, server.ts, next.ts or words.ts'

  it('refuses what is private to another folder, from a file of src too', () => {
    const found = refused({
      ...keys,
      'packages/auth/src/login/login.ts': importing('keys/list-keys.ts', 'keys/capability.ts'),
      'packages/auth/src/server.ts': `export const load = () => import('./keys/list-keys.ts')`,
    })
    expect(found).toEqual([
      `packages/auth/src/login/login.ts:1: login/ imports keys/list-keys.ts, ${remedy('keys')}`,
      `packages/auth/src/login/login.ts:2: login/ imports keys/capability.ts, ${remedy('keys')}`,
      `packages/auth/src/server.ts:1: server.ts imports keys/list-keys.ts, ${remedy('keys')}`,
    ])
  })

  it.each(['core', 'web', 'cli', 'notification', 'another'])(
    'refuses it in %s, by type too',
    (name) => {
      const found = refused(
        {
          [`packages/${name}/src/streams/group.ts`]: 'export type A = 1',
          [`packages/${name}/src/start.ts`]: `export type { A } from './streams/group.ts'`,
        },
        {},
      )
      expect(found).toEqual([
        `packages/${name}/src/start.ts:1: start.ts imports streams/group.ts, ${remedy('streams')}`,
      ])
    },
  )

  it('refuses every file of a folder in another folder, by any name', () => {
    const found = refused(
      {
        'packages/web/src/pages/sign-in/contract.ts': '',
        'packages/web/src/pages/sign-in/pages.ts': '',
        'packages/web/src/pages/sign-in/schema.ts': '',
        'packages/web/src/react.ts': `import './pages/sign-in/contract.ts'\nimport './pages/sign-in/pages.ts'\nimport './pages/sign-in/schema.ts'`,
      },
      {},
    )
    expect(found).toEqual(
      ['contract', 'pages', 'schema'].map(
        (file, at) =>
          `packages/web/src/react.ts:${at + 1}: react.ts imports pages/sign-in/${file}.ts, ${remedy('pages')}`,
      ),
    )
  })

  it('leaves what another package has to the rule for arrows', () => {
    const found = refused(
      {
        'packages/core/src/index.ts': `export * from './streams/streams.ts'`,
        'packages/core/src/streams/streams.ts': 'export const a = 1',
        'packages/core/src/streams/group.ts': 'export const a = 1',
        'packages/auth/src/server.ts': `import '../../core/src/streams/group.ts'\nimport '@svc/core'`,
      },
      {},
    )
    expect(found).toEqual([
      "packages/auth/src/server.ts:1: auth reaches into core by path: import the package's entry by its name",
    ])
  })

  it("refuses another folder's store and schema", () => {
    const found = refused({
      ...keys,
      'packages/auth/src/capability/store.ts': `export const a = 1`,
      'packages/auth/src/login/login.ts': importing(
        'keys/store.ts',
        'keys/schema.ts',
        // Of a folder without a door, too.
        'capability/store.ts',
      ),
      'packages/auth/src/login/schema.ts': importing('keys/schema.ts', 'keys/store.ts'),
    })
    expect(found).toEqual([
      'packages/auth/src/login/login.ts:1: login/ imports keys/store.ts: only keys/ touches its tables',
      'packages/auth/src/login/login.ts:2: login/ imports keys/schema.ts: only keys/ touches its tables',
      'packages/auth/src/login/login.ts:3: login/ imports capability/store.ts: only capability/ touches its tables',
      'packages/auth/src/login/schema.ts:2: login/ imports keys/store.ts: only keys/ touches its tables',
    ])
  })

  it('allows the doors, a foreign key and the list of capabilities', () => {
    const names = 'keys contract client errors events fields env server next'.split(' ')
    const found = refused({
      ...keys,
      ...Object.fromEntries(
        names.map((name) => [`packages/auth/src/keys/${name}.ts`, 'export const a = 1']),
      ),
      'packages/auth/src/login/login.ts': importing(...names.map((name) => `keys/${name}.ts`)),
      'packages/auth/src/device/schema.ts': importing('keys/schema.ts'),
      'packages/auth/src/capabilities.ts': `export * from './keys/capability.ts'`,
      'packages/auth/src/schema.ts': `export * from './keys/schema.ts'`,
    })
    expect(found).toEqual([])
  })

  it('allows the door of a folder whose name is that of tables', () => {
    const found = refused(
      {
        'packages/core/src/schema/schema.ts': 'export const a = 1',
        'packages/core/src/store/store.ts': 'export const a = 1',
        'packages/core/src/routes/routes.ts': importing('schema/schema.ts', 'store/store.ts'),
      },
      {},
    )
    expect(found).toEqual([])
  })

  it('lets the own folder, tests and what tests use import everything', () => {
    const found = refused({
      ...keys,
      'packages/auth/src/keys/revoke-key.ts': `export * from './store.ts'`,
      'packages/auth/src/keys/rules/rule.ts': `export * from '../list-keys.ts'`,
      'packages/auth/src/login/login.test.ts': importing('keys/list-keys.ts', 'keys/schema.ts'),
      'packages/auth/src/login/testing/login.ts': `export * from '../../keys/list-keys.ts'`,
      'packages/auth/src/testing.ts': `export * from './keys/list-keys.ts'`,
    })
    expect(found).toEqual([])
  })
})

describe('browserSafety', () => {
  it('refuses a server module that a browser-safe entry reaches', () => {
    const found = refused({
      'packages/core/src/client.ts': `export * from './call/call.ts'`,
      'packages/core/src/call/call.ts': `export const sign = 1\nimport 'node:crypto'\nimport 'drizzle-orm/pg-core'`,
    })
    const way = 'packages/core/src/client.ts → packages/core/src/call/call.ts is browser-safe'
    expect(found).toEqual([
      `packages/core/src/call/call.ts:2: node:crypto is for servers, and ${way}`,
      `packages/core/src/call/call.ts:3: drizzle-orm/pg-core is for servers, and ${way}`,
    ])
  })

  it('follows an entry into another package', () => {
    const found = refused({
      'packages/core/src/index.ts': `import 'pg'`,
      'packages/auth/src/index.ts': `import '@svc/core'`,
    })
    expect(found.join()).toContain('packages/core/src/index.ts:1: pg is for servers')
  })

  it('allows what the compiler erases, but not an import that it keeps for its effects', () => {
    const found = refused({
      'packages/core/src/client.ts': `import type { Logger } from 'pino'\nimport { type Level } from 'pino'\nexport type A = Logger | Level`,
    })
    expect(found).toEqual([
      'packages/core/src/client.ts:2: pino is for servers, and packages/core/src/client.ts is browser-safe',
    ])
  })
})

describe('environment', () => {
  it.each([
    ['a member', `export const port = process.env.PORT`],
    ['an indexed member', `export const port = process.env['PORT']`],
    ['the global object', `export const all = globalThis.process.env`],
    ['a pattern', `export const { env } = process`],
    ['an import', `import { env } from 'node:process'\nexport { env }`],
  ])('refuses process.env through %s', (_way, text) => {
    expect(refused({ 'packages/core/src/a.ts': text })).toEqual([
      'packages/core/src/a.ts:1: process.env is read in env.ts and env/ only: declare the variable there',
    ])
  })

  it('allows it where variables are declared, in tests, scripts, benches and configuration', () => {
    const text = `export const port = process.env.PORT`
    const paths = ['packages/core/src/env/read.ts', 'packages/auth/src/env.ts', 'bench/a.ts']
    const others = ['packages/auth/src/testing.ts', 'packages/auth/src/a.test.ts', 'scripts/a.ts']
    const next = ['apps/starter/web/next.config.ts', 'apps/starter/web/instrumentation.ts']
    const all = [...paths, ...others, ...next].map((path) => [path, text])
    expect(refused(Object.fromEntries(all))).toEqual([])
  })

  it('does not mistake a comment or a string for a read', () => {
    const text = `// process.env.PORT\nexport const help = 'process.env.PORT'`
    expect(refused({ 'packages/core/src/a.ts': text })).toEqual([])
  })
})

describe('names', () => {
  it('refuses a hollow name of a file or a folder', () => {
    const found = refused({
      'packages/core/src/utils/a.ts': '',
      'packages/core/src/key-manager.ts': '',
      'packages/core/src/service.test.ts': '',
      'packages/core/src/serviceable.ts': '',
    })
    expect(found.map((each) => each.split(':')[0])).toEqual([
      'packages/core/src/key-manager.ts',
      'packages/core/src/service.test.ts',
      'packages/core/src/utils',
    ])
  })
})

it('refuses a file that cannot be read', () => {
  expect(refused({ 'packages/core/src/a.ts': '\nexport const' }).join()).toMatch(
    /^packages\/core\/src\/a\.ts:2: /,
  )
})

describe('this repository', () => {
  const root = resolve(import.meta.dirname, '../..')

  it('lets nothing that a browser imports of auth reach a server module (A-004)', () => {
    const { files } = readSource(root)
    expect(browserSafety(files)).toEqual([])
    // The rule is about something: the server's entry would not pass it.
    const asBrowser = files.map((file) =>
      file.path === 'packages/auth/src/server.ts'
        ? { ...file, path: 'packages/auth/src/index.ts' }
        : file,
    )
    expect(browserSafety(asBrowser)).not.toEqual([])
  })
})

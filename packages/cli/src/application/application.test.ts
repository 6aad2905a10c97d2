import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, orders, runSvc, type TestApplication } from '../testing/application.ts'

let application: TestApplication
beforeAll(async () => {
  application = await createApplication(orders)
})
afterAll(() => application.remove())

/** What `svc generate` answers to a server file of this text. */
async function refusalOf(server: string) {
  await application.write('other.ts', server)
  const { code, stdout, stderr } = await application.svc(['generate', '--server', 'other.ts'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

/** What `svc openapi` answers in a folder with this package.json and no server file. */
async function withManifest(manifest: string) {
  await application.write('elsewhere/package.json', manifest)
  const { code, stderr } = await application.svc(['openapi'], { from: 'elsewhere' })
  return { code, stderr: stderr.replaceAll(application.root, '') }
}

describe('where the application is', () => {
  it('is found from a folder below its package.json', async () => {
    await application.write('deep/down/notes.txt', '')
    const { code, stdout } = await application.svc(['openapi'], { from: 'deep/down' })
    expect({ code, info: JSON.parse(stdout).info }).toMatchObject({
      code: 0,
      info: { title: 'orders' },
    })
  })

  it('is api/server.ts when there is no server.ts', async () => {
    const server = (title: string) =>
      `import { defineServer } from '@svc/core'\nconsole.error('${title}')\nexport default defineServer()\n`
    await application.write('two/package.json', '{ "type": "module" }')
    await application.write('two/api/server.ts', server('second'))
    expect((await application.svc(['openapi'], { from: 'two' })).stderr).toBe('second\n')
    await application.write('two/server.ts', server('first'))
    expect((await application.svc(['openapi'], { from: 'two' })).stderr).toBe('first\n')
  })

  it('is what package.json says, but for what a flag says', async () => {
    await application.write(
      'named/package.json',
      '{ "type": "module", "svc": { "server": "./a.ts" } }',
    )
    for (const name of ['a', 'b']) {
      await application.write(
        `named/${name}.ts`,
        `import { defineServer } from '@svc/core'\nconsole.error('${name}')\nexport default defineServer()\n`,
      )
    }
    expect((await application.svc(['openapi'], { from: 'named' })).stderr).toBe('a\n')
    const flagged = await application.svc(['openapi', '--server', 'b.ts'], { from: 'named' })
    expect(flagged.stderr).toBe('b\n')
  })

  it.each([
    [
      '{}',
      'There is no server.ts or api/server.ts in /elsewhere: write "svc": { "server": "./path/to/server.ts" } in its package.json.\n',
    ],
    [
      '{ "svc": { "server": "./gone.ts" } }',
      'There is no file ./gone.ts: correct "svc": { "server": … } in /elsewhere/package.json.\n',
    ],
    [
      '{ "svc": { "sever": "./a.ts" } }',
      '"svc" in /elsewhere/package.json has no setting "sever": it has "server", "routeMap", "main", "web".\n',
    ],
    [
      '{ "svc": { "server": 1 } }',
      '"svc" in /elsewhere/package.json: "server" must be a path such as "./api.ts".\n',
    ],
    ['{ "svc": }', '/elsewhere/package.json is not valid JSON.\n'],
  ])('one sentence says what is wrong with %s', async (manifest, stderr) => {
    expect(await withManifest(manifest)).toEqual({ code: 1, stderr })
  })

  it('one sentence says that a flag names no file', async () => {
    const { stderr } = await application.svc(['generate', '--server', 'gone.ts'])
    expect(stderr).toBe('There is no file gone.ts: correct --server.\n')
  })

  it('one sentence says that there is no package.json', async () => {
    expect((await runSvc(['generate'], { from: '/' })).stderr).toBe(
      'There is no package.json here or in a folder above. Run svc in the folder of the application.\n',
    )
  })
})

describe('a server file without a definition', () => {
  const whatToWrite =
    'write "export default defineServer()…", and start the server in another file.\n'

  it('lacks its default export', async () => {
    expect(await refusalOf('export const server = 1')).toBe(
      `other.ts has no default export: ${whatToWrite}`,
    )
  })

  it('exports something else', async () => {
    expect(await refusalOf('export default { settings: {} }')).toBe(
      `The default export of other.ts is not a server: ${whatToWrite}`,
    )
  })
})

describe('a server file that does not load', () => {
  it('shows the error of a module it imports, and where that is', async () => {
    await application.write('settings.ts', "throw new RangeError('the pool is too small')")
    expect(await refusalOf("import './settings.ts'")).toBe(
      'other.ts does not load: the pool is too small\n  at settings.ts:1:7\n',
    )
  })

  it('shows where the framework was given what it refuses', async () => {
    const refused =
      "import { defineEnv, required } from '@svc/core'\n\ndefineEnv({ POOL: required })()"
    expect(await refusalOf(refused)).toBe(
      'other.ts does not load: The environment has problems:\n  POOL is required\n  at other.ts:3:30\n',
    )
  })

  it('shows where the syntax is wrong', async () => {
    expect(await refusalOf('\nconst = 1')).toMatch(
      /^other\.ts does not load: .+\n {2}at other\.ts:2\n$/,
    )
    expect(await refusalOf('enum Colour { Red }')).toMatch(/not supported.+\n {2}at other\.ts:1\n$/)
  })

  it('names a file and a package that are missing', async () => {
    expect(await refusalOf("import './gone.ts'")).toMatch(
      /^other\.ts does not load: Cannot find module '.+gone\.ts'/,
    )
    expect(await refusalOf("import 'gone'")).toMatch(
      /^other\.ts does not load: Cannot find package 'gone'/,
    )
  })

  it('shows what was thrown when it is no error', async () => {
    expect(await refusalOf("throw { reason: 'none' }")).toBe(
      "other.ts does not load: it threw { reason: 'none' }\n",
    )
  })

  it('shows no password of an address', async () => {
    const refusal = await refusalOf(
      "throw new Error('cannot use postgres://app:hunter2@db/orders')",
    )
    expect(refusal).toContain('cannot use postgres://app:[redacted]@db/orders')
    expect(refusal).not.toContain('hunter2')
  })

  it('is no success when it never finishes loading', async () => {
    await application.write('other.ts', 'await new Promise(() => {})\nexport default 1')
    expect((await application.svc(['generate', '--server', 'other.ts'])).code).toBe(1)
  })
})

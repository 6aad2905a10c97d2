import { describe, expect, it } from 'vitest'
import { runSvc } from '../testing/application.ts'
import { useApplication } from './test-application.ts'

const test = useApplication()
const { refusalOf } = test

/** What `svc openapi` answers in a folder with this package.json and no server file. */
async function withManifest(manifest: string) {
  await test.application.write('elsewhere/package.json', manifest)
  const { code, stderr } = await test.application.svc(['openapi'], { from: 'elsewhere' })
  return { code, stderr: stderr.replaceAll(test.application.root, '') }
}

describe('where the application is', () => {
  it('is api/server.ts when there is no server.ts', async () => {
    const server = (title: string) =>
      `import { defineServer } from '@svc/core'\nconsole.error('${title}')\nexport default defineServer()\n`
    await test.application.write('two/package.json', '{ "type": "module" }')
    await test.application.write('two/api/server.ts', server('second'))
    expect((await test.application.svc(['openapi'], { from: 'two' })).stderr).toBe('second\n')
    await test.application.write('two/server.ts', server('first'))
    expect((await test.application.svc(['openapi'], { from: 'two' })).stderr).toBe('first\n')
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
    const { stderr } = await test.application.svc(['generate', '--server', 'gone.ts'])
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
    await test.application.write('other.ts', 'await new Promise(() => {})\nexport default 1')
    expect((await test.application.svc(['generate', '--server', 'other.ts'])).code).toBe(1)
  })
})

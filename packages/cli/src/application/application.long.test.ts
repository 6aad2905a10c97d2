import { describe, expect, it } from 'vitest'
import { useApplication } from './test-application.ts'

const test = useApplication()
const { refusalOf } = test

describe('where the application is', () => {
  it('is found from a folder below its package.json', async () => {
    await test.application.write('deep/down/notes.txt', '')
    const { code, stdout } = await test.application.svc(['openapi'], { from: 'deep/down' })
    expect({ code, info: JSON.parse(stdout).info }).toMatchObject({
      code: 0,
      info: { title: 'orders' },
    })
  })

  it('is what package.json says, but for what a flag says', async () => {
    await test.application.write(
      'named/package.json',
      '{ "type": "module", "svc": { "server": "./a.ts" } }',
    )
    for (const name of ['a', 'b']) {
      await test.application.write(
        `named/${name}.ts`,
        `import { defineServer } from '@svc/core'\nconsole.error('${name}')\nexport default defineServer()\n`,
      )
    }
    expect((await test.application.svc(['openapi'], { from: 'named' })).stderr).toBe('a\n')
    const flagged = await test.application.svc(['openapi', '--server', 'b.ts'], { from: 'named' })
    expect(flagged.stderr).toBe('b\n')
  })
})

describe('a server file that does not load', () => {
  it('shows the error of a module it imports, and where that is', async () => {
    await test.application.write('settings.ts', "throw new RangeError('the pool is too small')")
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
})

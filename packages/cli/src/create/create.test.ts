import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { repository } from '../repository.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { named } from './named.ts'
import { withOwnPackages } from './own-packages.ts'
import { starterFiles } from './starter.ts'

describe('what svc create writes', () => {
  const files = named(starterFiles(), 'my-board')
  const texts = Object.values(files).join('\n')

  it('is an application by itself: nothing leads into the repository', () => {
    expect(texts).not.toMatch(/starter-(api|web)|Svc starter|\]\(\.\.\//)
    const outside = Object.entries(files).filter(([path, text]) =>
      [...text.matchAll(/from '((?:\.\.\/)+)/g)].some(
        ([, up = '']) => up.split('../').length - 1 > path.split('/').length - 1,
      ),
    )
    expect(outside.map(([path]) => path)).toEqual([])
  })

  it('is small: at most 130 files and 4,500 lines', () => {
    const lines = Object.values(files).flatMap((text) => text.trimEnd().split('\n'))
    expect(Object.keys(files).length).toBeLessThanOrEqual(130)
    expect(lines.length).toBeLessThanOrEqual(4500)
  })

  it('leaves out what only the repository can run or has written', () => {
    const paths = Object.keys(files)
    expect(
      paths.filter((path) => /browser\/|\.next\/|node_modules|tsbuildinfo/.test(path)),
    ).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining([
        '.gitignore',
        '.env.example',
        '.env.test',
        'AGENTS.md',
        'README.md',
        'skills/svc/SKILL.md',
        'start.mjs',
        'api/main.ts',
        'api/starter.test.ts',
        'api/migrations/0001_notices.sql',
        'web/app/page.tsx',
      ]),
    )
  })

  it('has a package.json with every version pinned', () => {
    const manifests = ['package.json', 'api/package.json', 'web/package.json'].map((path) =>
      JSON.parse(files[path] ?? ''),
    )
    expect(manifests.map(({ name }) => name)).toEqual(['my-board', 'my-board-api', 'my-board-web'])
    const [root] = manifests
    expect(Object.keys(root.scripts)).toEqual(
      expect.arrayContaining(['start', 'dev', 'test', 'generate', 'migrate']),
    )
    for (const { dependencies, devDependencies, optionalDependencies } of manifests) {
      const all = { ...dependencies, ...devDependencies, ...optionalDependencies }
      for (const version of Object.values(all)) expect(version).toMatch(/^\d+\.\d+\.\d+[\w.-]*$/)
    }
  })

  it('has a README whose examples have no marks of ours, and which names pages that are there', () => {
    const page = files['README.md'] ?? ''
    expect(page).not.toMatch(/^```\w+ \S/m)
    expect(page).toContain('## Add a route')
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      'see account pages (`node_modules/@svc/cli/dist/docs/guide/account-pages.md`).',
    )
    const pages = [...page.matchAll(/`@svc\/(\w+)\/README\.md`/g)]
    const folders = pages.map(([, name = '']) => join('packages', name, 'README.md'))
    expect(folders).toHaveLength(6)
    expect(folders.filter((path) => !existsSync(join(repository ?? '', path)))).toEqual([])
  })

  it('keeps variables and keys of devices out of its repository', () => {
    expect(files['.gitignore']?.split('\n')).toEqual(
      expect.arrayContaining(['.env', '!.env.test', '.svc', 'device-key.json']),
    )
  })

  it('takes our packages from a folder of its own, where they come from a clone', () => {
    const { dependencies, devDependencies } = JSON.parse(
      withOwnPackages(files)['package.json'] ?? '',
    )
    expect(dependencies['@svc/core']).toBe('file:./vendor/svc-core-0.1.0.tgz')
    expect(devDependencies['@svc/cli']).toBe('file:./vendor/svc-cli-0.1.0.tgz')
  })
})

describe('svc create refuses', () => {
  const here = process.cwd()
  afterEach(() => process.chdir(here))

  async function refusalOf(...args: string[]) {
    const err = vi.spyOn(console, 'error').mockReset().mockReturnValue()
    const code = await main(['create', ...args])
    return { code, stderr: err.mock.calls.join('\n') }
  }

  it('a folder with something in it, and leaves it as it is', async () => {
    const root = temporaryFolder({ 'board/mine.txt': 'mine' })
    process.chdir(root)
    expect(await refusalOf('board')).toEqual({
      code: 1,
      stderr:
        'board is not empty (mine.txt): nothing was written. Choose a new or an empty folder.',
    })
    expect(readdirSync(join(root, 'board'))).toEqual(['mine.txt'])
    expect(readFileSync(join(root, 'board/mine.txt'), 'utf8')).toBe('mine')
  })

  it.each(['My-App', '1st', 'a b', '.hidden', 'böard'])('the name %s', async (name) => {
    const root = temporaryFolder()
    process.chdir(root)
    const { code, stderr } = await refusalOf(name)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be'),
    })
    expect(existsSync(join(root, name))).toBe(false)
  })

  it('the name of a package that it depends on, and says so', async () => {
    process.chdir(temporaryFolder())
    expect(await refusalOf('next')).toEqual({
      code: 2,
      stderr: `"next" cannot be an application's name: the application depends on the package "next". Choose another name for the folder, such as my-app.`,
    })
  })

  it('no folder, and two', async () => {
    expect((await refusalOf()).stderr).toBe('svc create needs <folder>: svc create <folder>')
    expect((await refusalOf('a', 'b')).stderr).toBe(
      'svc create does not take "b". See "svc create --help".',
    )
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { temporaryTree } from '../temporary-tree.ts'
import { readChanges } from './changes.ts'

const command = resolve(import.meta.dirname, 'main.ts')

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
const core = (version: string) => ({ name: '@svc/core', version })
const web = (version: string) => ({
  name: '@svc/web',
  version,
  dependencies: { '@svc/core': version, ws: '8.0.0' },
})
const starter = (version: string) => ({
  name: 'starter',
  version: '0.0.0',
  devDependencies: { '@svc/web': version },
})
const lock = (version: string) => ({
  packages: {
    '': {},
    'apps/starter': starter(version),
    'node_modules/ws': { version: '8.0.0' },
    'packages/core': core(version),
    'packages/web': web(version),
  },
})

const head = '# Changelog\n\nThe form.\n'
const released = `${head}\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- Everything.\n`

function repositoryOf(files: Record<string, string>, version = '0.1.0') {
  return temporaryTree({
    'package.json': json({ workspaces: ['packages/*', 'apps/starter'] }),
    'package-lock.json': json(lock(version)),
    'packages/core/package.json': json(core(version)),
    'packages/web/package.json': json(web(version)),
    'apps/starter/package.json': json(starter(version)),
    'CHANGELOG.md': released.replace('0.1.0', version),
    ...files,
  })
}

function release(root: string, ...args: string[]) {
  const env = { ...process.env, NO_COLOR: '1' }
  return runCommand([process.execPath, command, '--no-pack', ...args], { cwd: root, env })
}

const reader = (root: string) => (file: string) => readFileSync(join(root, file), 'utf8')

const snapshot = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')])

describe('npm run release', { timeout: 60_000 }, () => {
  it('writes the version of all packages and what asks for them, and the changelog', async () => {
    const root = repositoryOf({
      'changes/README.md': 'How.',
      'changes/faster.md': 'Changed\n\nFaster.\n',
      'changes/keys.md': 'Added\n\nKeys that live\nfor a day.\n',
    })
    const { passed, output } = await release(root)
    expect(output).toContain('0.1.0 → 0.2.0')
    expect(passed).toBe(true)

    const read = reader(root)
    expect(read('packages/core/package.json')).toBe(json(core('0.2.0')))
    expect(read('packages/web/package.json')).toBe(json(web('0.2.0')))
    expect(read('apps/starter/package.json')).toBe(json(starter('0.2.0')))
    expect(read('package-lock.json')).toBe(json(lock('0.2.0')))
    const today = new Date().toISOString().slice(0, 10)
    const section = `## 0.2.0 - ${today}

### Added

- Keys that live
  for a day.

### Changed

- Faster.
`
    expect(read('CHANGELOG.md')).toBe(released.replace('## 0.1.0', `${section}\n## 0.1.0`))
    expect(readdirSync(join(root, 'changes'))).toEqual(['README.md'])
  })

  it('writes nothing in a dry run, and says what it would write', async () => {
    const root = repositoryOf({ 'changes/a.md': 'Fixed\n\nA leak.\n' })
    const before = snapshot(root)
    const { passed, output } = await release(root, '--dry-run')
    expect(passed).toBe(true)
    expect(output).toContain('0.1.0 → 0.1.1')
    expect(output).toContain('### Fixed\n\n- A leak.')
    expect(output).toContain('would write packages/web/package.json')
    expect(output).toContain('would delete changes/a.md')
    expect(snapshot(root)).toEqual(before)
  })

  it('releases a version that the changelog does not know as it is, with what stands there', async () => {
    const root = repositoryOf({
      'CHANGELOG.md': `${head}\n## Unreleased\n\nThe first.\n\n### Added\n\n- Routes.\n`,
      'changes/a.md': 'Added\n\nKeys.\n',
    })
    expect((await release(root)).output).toContain('0.1.0, the first release')
    const text = reader(root)('CHANGELOG.md')
    expect(text).toContain('\n\nThe first.\n\n### Added\n\n- Routes.\n- Keys.\n')
    expect(text).not.toContain('Unreleased')
  })

  it.each([
    ['0.3.1', 'Removed, breaking', '0.4.0'],
    ['1.3.1', 'Removed, breaking', '2.0.0'],
    ['1.3.1', 'Added', '1.4.0'],
    ['1.3.1', 'Security, breaking', '1.3.2'],
  ])('after %s and a change of the kind "%s" comes %s', async (current, kind, next) => {
    const files = { 'changes/a.md': `${kind}\n\nA thing.\n`, 'UPGRADING.md': `## ${next}\n` }
    const { output } = await release(repositoryOf(files, current), '--dry-run')
    expect(output).toContain(`${current} → ${next}`)
    expect(output.includes('This version breaks')).toBe(kind.includes('breaking'))
    expect(output.includes('- **Breaking.** A thing.')).toBe(kind.includes('breaking'))
  })

  it.each([
    ['no change', {}, 'There is nothing to release'],
    ['a kind it does not know', { 'changes/a.md': 'Better\n\nAll.\n' }, 'changes/a.md: Its first'],
    ['a change that says nothing', { 'changes/a.md': 'Added\n\n\n' }, 'changes/a.md: Its first'],
    [
      'a breaking change without its steps',
      { 'changes/a.md': 'Changed, breaking\n\nA thing.\n' },
      'Write the steps into UPGRADING.md, under "## 0.2.0"',
    ],
    [
      'packages of two versions',
      { 'changes/a.md': 'Added\n\nA thing.\n', 'packages/web/package.json': json(web('0.1.1')) },
      'The packages have 2 versions',
    ],
  ])('refuses %s, and writes nothing', async (_, files: Record<string, string>, problem) => {
    const root = repositoryOf(files)
    const before = snapshot(root)
    const { passed, output } = await release(root)
    expect(output).toContain(problem)
    expect(passed).toBe(false)
    expect(snapshot(root)).toEqual(before)
  })

  it('refuses an option that it does not know', async () => {
    const { passed, output } = await release(repositoryOf({}), '--dryrun')
    expect(output).toContain('npm run release does not take "--dryrun"')
    expect(passed).toBe(false)
  })
})

it('the changes of this repository can be released', () => {
  expect(() => readChanges(resolve(import.meta.dirname, '../..'))).not.toThrow()
})

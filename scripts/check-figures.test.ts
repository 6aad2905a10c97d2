import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../bench/harness/source.ts'
import { runCommand } from '../packages/cli/src/run/run-command.ts'
import { temporaryTree } from './temporary-tree.ts'

const command = resolve(import.meta.dirname, 'check-figures.ts')
// What `bench/benches.ts` says of `types`.
const measured = 'packages/core/src/schema/schema.ts'

// A hook of git that runs the tests must not lead these commands to its own repository.
const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
const env = { ...Object.fromEntries(outside), NO_COLOR: '1' }

function write(root: string, path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function git(root: string, ...args: string[]) {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
  const { passed, output } = await runCommand(['git', ...author, ...args], { cwd: root, env })
  if (!passed) throw new Error(output)
  return output.trim()
}

/** A repository in which a day passes from commit to commit. */
async function repository() {
  const root = temporaryTree()
  await git(root, 'init', '--quiet')
  let day = 0
  const versions: string[] = []

  async function commit(path: string, text: string) {
    write(root, path, text)
    day += 1
    const date = `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`
    await git(root, 'add', '.')
    const dated = { cwd: root, env: { ...env, GIT_COMMITTER_DATE: date } }
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
    await runCommand(['git', ...author, 'commit', '--quiet', `--message=${path}`], dated)
    return { commit: await git(root, 'rev-parse', 'HEAD'), date: date.slice(0, 10) }
  }

  return {
    root,
    change: (text: string) => commit(measured, text),
    changeElsewhere: (text: string) => commit('packages/web/src/page.ts', text),
    release: (version: string) => {
      versions.unshift(`## ${version} - 2026-01-01\n`)
      return commit('CHANGELOG.md', `# Changelog\n\n${versions.join('\n')}`)
    },
    keep: (made: { commit: string | null; date: string }) => {
      const source = { commit: made.commit, tree: 'as committed' }
      const result = { name: 'types', machine: { date: made.date }, source }
      return commit('bench/results/types.json', JSON.stringify(result))
    },
  }
}

const check = (root: string, ...args: string[]) =>
  runCommand([process.execPath, command, ...args], { cwd: root, env })

describe('npm run check', { timeout: 60_000 }, () => {
  it('passes while what a result measures has changed since and was not released', async () => {
    const { root, change, keep } = await repository()
    await keep(await change('1'))
    await change('2')
    await change('3')
    const { passed, output } = await check(root)
    expect(output).toContain('what it measures: 2')
    expect(passed).toBe(true)
  })

  it('passes after one release of what a result has not measured', async () => {
    const { root, change, keep, release } = await repository()
    await keep(await change('1'))
    await change('2')
    await release('0.1.0')
    const { passed, output } = await check(root)
    expect(output).toContain('released without it: 0.1.0')
    expect(passed).toBe(true)
  })

  it('fails after a second release of it, and says what to do', async () => {
    const { root, change, keep, release } = await repository()
    await keep(await change('1'))
    await change('2')
    await release('0.1.0')
    await release('0.1.1')
    const { passed, output } = await check(root)
    expect(output).toContain('released without it: 0.1.0, 0.1.1\n')
    expect(output).toContain('npm run bench types')
    expect(passed).toBe(false)
  })

  it('fails before that release is made, where npm run release asks', async () => {
    const { root, change, keep, release } = await repository()
    await keep(await change('1'))
    await change('2')
    await release('0.1.0')
    expect(await check(root, '--release')).toMatchObject({ passed: false })
  })

  it('passes where no release since has changed what it measures', async () => {
    const { root, change, changeElsewhere, keep, release } = await repository()
    await release('0.1.0')
    await keep(await change('1'))
    await changeElsewhere('1')
    await release('0.2.0')
    await release('0.3.0')
    await change('2')
    const { passed, output } = await check(root, '--release')
    expect(output).toContain('released without it: this one\n')
    expect(passed).toBe(true)
  })

  it('counts a change once it is released, not the release before it', async () => {
    const { root, change, keep, release } = await repository()
    await keep(await change('1'))
    await release('0.1.0')
    await change('2')
    await release('0.2.0')
    expect((await check(root)).output).toContain('released without it: 0.2.0\n')
  })

  it('counts no release twice whose date in the changelog is corrected', async () => {
    const { root, change, keep, release } = await repository()
    await keep(await change('1'))
    await change('2')
    await release('0.1.0')
    write(root, 'CHANGELOG.md', '# Changelog\n\n## 0.1.0 - 2026-01-02\n')
    await git(root, 'commit', '--all', '--quiet', '--message=A date')
    expect((await check(root)).output).toContain('released without it: 0.1.0\n')
  })

  it('passes after tests alone have changed', async () => {
    const { root, change, keep } = await repository()
    await keep(await change('1'))
    write(root, measured.replace('.ts', '.test.ts'), '')
    await git(root, 'add', '.')
    await git(root, 'commit', '--quiet', '--message=A test')
    expect((await check(root)).output).toContain('what it measures: 0')
  })

  it('compares with the last commit of its day where history was rewritten', async () => {
    const { root, change, keep, release } = await repository()
    const { date } = await change('1')
    await keep({ commit: 'f'.repeat(40), date })
    await change('2')
    await release('0.1.0')
    await release('0.2.0')
    const { passed, output } = await check(root)
    expect(output).toContain('what it measures: 1;')
    expect(passed).toBe(false)
  })

  it('passes and says so in a shallow clone, on any day', async () => {
    const { root, change, keep, release } = await repository()
    const { commit } = await change('1')
    await keep({ commit, date: '2026-01-31' })
    await change('2')
    await release('0.1.0')
    await release('0.2.0')
    const clone = join(temporaryTree(), 'clone')
    await git('.', 'clone', '--quiet', '--depth=2', pathToFileURL(root).href, clone)
    const { passed, output } = await check(clone)
    expect(output).toMatch(/^note: types: git does not know here/m)
    expect(passed).toBe(true)
  })

  it('passes and says so where a shallow clone has cut off a branch since', async () => {
    const { root, change, changeElsewhere, keep } = await repository()
    await change('1')
    await git(root, 'branch', 'side')
    await keep(await change('2'))
    await git(root, 'checkout', '--quiet', 'side')
    for (const text of ['1', '2', '3']) await changeElsewhere(text)
    await git(root, 'checkout', '--quiet', '-')
    await git(root, 'merge', '--quiet', '--no-ff', '--message=Merge', 'side')
    const clone = join(temporaryTree(), 'clone')
    await git('.', 'clone', '--quiet', '--depth=3', pathToFileURL(root).href, clone)
    expect((await check(clone)).output).toMatch(/^note: types: git does not know here/m)
    expect((await check(root)).output).toContain('what it measures: 0')
  })

  it('passes and says so where there is no git, or no repository', async () => {
    const { root, change, keep } = await repository()
    await keep(await change('1'))
    const run = { cwd: root, env: { ...env, PATH: '/nowhere' } }
    const withoutGit = await runCommand([process.execPath, command], run)
    expect(withoutGit.output).toContain('note: types')
    expect(withoutGit.passed).toBe(true)

    const result = { name: 'types', machine: { date: '2026-01-01' }, source: { commit: null } }
    const plain = temporaryTree({ 'bench/results/types.json': JSON.stringify(result) })
    expect((await check(plain)).output).toContain('note: types')
  })
})

describe('what a result is of', () => {
  it('is the commit, and whether other files were there than its own', async () => {
    const { root, change } = await repository()
    const { commit } = await change('1')
    expect(sourceOf(root)).toEqual({ commit, tree: 'as committed' })
    // The results of the benches before it in the same hour.
    write(root, 'bench/results/auth.json', '{}')
    write(root, 'docs/performance.md', 'Figures')
    expect(sourceOf(root)).toEqual({ commit, tree: 'as committed' })
    write(root, measured, '2')
    expect(sourceOf(root)).toEqual({ commit, tree: 'changed' })
  })

  it('is unknown outside of a repository', () => {
    expect(sourceOf(temporaryTree())).toEqual({ commit: null, tree: 'not noted' })
  })
})

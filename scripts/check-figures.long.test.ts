import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../packages/cli/src/run/run-command.ts'
import { temporaryTree } from './temporary-tree.ts'
import { check, command, env, git, repository, write } from './test-check-figures.ts'

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

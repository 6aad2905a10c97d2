import { describe, expect, it } from 'vitest'
import { sourceOf } from '../bench/harness/source.ts'
import { temporaryTree } from './temporary-tree.ts'
import { check, git, measured, repository, write } from './test-check-figures.ts'

describe('npm run check', { timeout: 60_000 }, () => {
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

  it('passes after tests alone have changed', async () => {
    const { root, change, keep } = await repository()
    await keep(await change('1'))
    write(root, measured.replace('.ts', '.test.ts'), '')
    await git(root, 'add', '.')
    await git(root, 'commit', '--quiet', '--message=A test')
    expect((await check(root)).output).toContain('what it measures: 0')
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

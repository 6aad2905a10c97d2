import { link, symlink, writeFile } from 'node:fs/promises'
import { createTestDatabase } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { countOutcomes } from './count-outcomes.ts'
import { migrated, patience, useImporting } from './test-users.ts'

const test = useImporting()
const { importing, pathOf, emails } = test

/** The cases follow one database, in this order. */
describe('svc users import', patience, () => {
  it('says what a database lacks, before it reads a row', async () => {
    const fresh = await createTestDatabase()
    const run = () =>
      test.application.svc(['users', 'import', 'people.jsonl', '--dry-run'], {
        env: { DATABASE_URL: fresh.url },
        from: 'exports',
      })
    const bare = await run()
    expect({ code: bare.code, stderr: bare.stderr }).toEqual({
      code: 1,
      stderr:
        'This database is not migrated. Run "npx @svc/cli migrate", then start the server once.\n',
    })
    await migrated(fresh.url)
    const { code, stderr } = await run()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'This database has no roles yet. Start the server once to create them.\n',
    })
    await fresh.drop()
  })

  it('says of a file without rows that it has none', async () => {
    await test.application.write('exports/empty.csv', 'email,passwordHash\n')
    expect((await importing('empty.csv')).stdout).toMatch(/^The file has no rows\.\n/)
  })

  it('writes no report over its export, not even by another name', async () => {
    await link(pathOf('people.jsonl'), pathOf('linked.jsonl'))
    const before = await test.application.read('exports/people.jsonl')
    for (const report of ['people.jsonl', 'linked.jsonl']) {
      const { code, stderr } = await importing('people.jsonl', '--report', report)
      expect(code).toBe(1)
      expect(stderr).toContain('give --report another file')
    }
    expect(await test.application.read('exports/people.jsonl')).toBe(before)
    expect(await emails()).toEqual([])
  })

  it('says that a file cannot be read', async () => {
    const file = pathOf('shut.csv')
    // Not even root reads this one; elsewhere the mode of a file says it.
    if (process.platform === 'linux') await symlink('/proc/sys/vm/compact_memory', file)
    else await writeFile(file, '', { mode: 0 })
    expect(await importing('shut.csv')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'shut.csv cannot be read: EACCES.\n',
    })
  })

  it.each([
    ['a file that is not there', ['none.csv'], 'There is no file none.csv.'],
    [
      'an application without accounts',
      ['people.jsonl', '--server', '../bare.ts'],
      'createAuthLifecycle()',
    ],
    [
      'parameters of Firebase that are none',
      ['people.jsonl', '--from', 'firebase', '--firebase-hash-config', 'all-is-well.csv'],
      'Copy the whole block "hash_config"',
    ],
  ])('says what to do about %s', async (_, args, advice) => {
    const { code, stderr } = await importing(...args)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(advice)
    expect(stderr).not.toContain('    at ')
  })
})

describe('a report', () => {
  it('is closed, and so whole, where an import breaks off', async () => {
    const written: object[] = []
    let isClosed = false
    const report = {
      write: async (row: object) => {
        written.push(row)
      },
      close: async () => {
        isClosed = true
      },
    }
    async function* broken() {
      yield { line: 1, outcome: 'created' as const }
      throw new Error('The database is gone.')
    }
    await expect(countOutcomes(broken(), report)).rejects.toThrow('The database is gone.')
    expect({ written, isClosed }).toEqual({
      written: [{ line: 1, outcome: 'created' }],
      isClosed: true,
    })
  })
})

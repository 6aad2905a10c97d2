import { chmod, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { patience, useImporting } from './test-users.ts'

const test = useImporting()
const { importing, pathOf, emails } = test

/** The cases follow one database, in this order. */
describe('svc users import', patience, () => {
  it('says in a dry run what would become of each row, and changes nothing', async () => {
    const { code, stdout, stderr } = await importing('people.jsonl', '--dry-run')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "would be created   2
      existed already    0
      refused            2

      hash_unknown: 1
        the password hash has an unknown format
        line 3

      unreadable: 1
        the record cannot be read: an open quotation mark, a wrong number of columns, or invalid JSON
        line 4

      not imported for the created accounts: username of 1

      This was a dry run: nothing was changed.
      "
    `)
    expect(await emails()).toEqual([])
  })

  it('opens accounts, and writes addresses to the report alone, and passwords nowhere', async () => {
    await test.application.write('exports/report.jsonl', 'of another run\n'.repeat(1000))
    await chmod(pathOf('report.jsonl'), 0o644)
    const { code, stdout, stderr } = await importing('people.jsonl', '--report', 'report.jsonl')
    expect(code).toBe(1)
    for (const secret of ['@', '$2b', 'hunter2', 'cut off']) {
      expect(stdout + stderr).not.toContain(secret)
    }
    expect(await emails()).toEqual(['ada@example.com', 'grace@example.com'])
    const report = (await test.application.read('exports/report.jsonl')).trim().split('\n')
    expect(report.map((row) => JSON.parse(row))).toEqual([
      {
        line: 1,
        externalId: 'ada',
        email: 'ada@example.com',
        outcome: 'created',
        userId: expect.any(String),
      },
      {
        line: 2,
        externalId: 'grace',
        email: 'grace@example.com',
        left: ['username'],
        outcome: 'created',
        userId: expect.any(String),
      },
      { line: 3, outcome: 'refused', reason: 'hash_unknown' },
      { line: 4, outcome: 'refused', reason: 'unreadable' },
    ])
    const { mode } = await stat(pathOf('report.jsonl'))
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  })

  it('can be run again, and exits 0 when no row is refused', async () => {
    const { code, stdout } = await importing('all-is-well.csv')
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "created           1
      existed already   1
      refused           0
      ",
      }
    `)
  })
})

import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'
import { citedClauses } from './cited-clauses.ts'
import { coverage, report } from './clause-coverage.ts'
import { skippedClauses, unexcused } from './skipped-clauses.ts'

function cited(text: string) {
  return citedClauses('a.test.ts', text).map(({ id, line }) => `${id}:${line}`)
}

describe('citedClauses', () => {
  it('reads the titles of tests', () => {
    expect(cited(`\nit('spends once (X-003)', () => {})\ntest('two (X-004, Z-005)', f)`)).toEqual([
      'X-003:2',
      'X-004:3',
      'Z-005:3',
    ])
  })

  it('reads titles in pieces, and of tables and conditional tests', () => {
    const text =
      `it('long ' +\n 'title (X-001)')\nit.each([1])(\`$0 (X-002)\`, f)\n` +
      `it.skipIf(noRedis)('three (X-003)', f)\ntest.concurrent('four (X-004)', f)`
    expect(cited(text)).toEqual(['X-001:1', 'X-002:3', 'X-003:4', 'X-004:5'])
  })

  it('does not count an id elsewhere, nor a test that never runs', () => {
    const text =
      `// X-001\ndescribe('X-002', () => {})\nexpect('X-003')\n` +
      `it.skip('X-004', f)\nit.todo('X-005')\nconst note = 'it(X-006)'`
    expect(cited(text)).toEqual([])
  })
})

describe('coverage', () => {
  const clauses = [
    'X-001\troutes\tA route answers.',
    'X-002\troutes\tA second one does.',
    'Y-001\tevents\tAn event arrives.',
  ].join('\n')

  it('fails a done area with an uncovered clause, and a citation of nothing', () => {
    const found = coverage(
      temporaryTree({
        'docs/specification/clauses.tsv': clauses,
        'docs/specification/areas-done.txt': 'routes\nstreams\n',
        'packages/core/src/a.test.ts': `it('answers (X-001)', f)\nit('flies (X-009)', f)`,
      }),
    )
    expect(found.errors).toEqual([
      'packages/core/src/a.test.ts:2: cites X-009, which is no clause',
      'routes is called done, but no test cites X-002: A second one does.',
      'areas-done.txt names streams, which is no area',
    ])
    expect(
      report(found, { list: true, areas: ['routes'] })
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'routes             1/2',
      '    X-002 A second one does.',
      '1/2 clauses cited by a test',
    ])
  })

  it('passes when every clause of the done areas is cited, by type tests too', () => {
    const found = coverage(
      temporaryTree({
        'docs/specification/clauses.tsv': clauses,
        'docs/specification/areas-done.txt': 'routes\n',
        'packages/core/src/a.test.ts': `it('answers (X-001)', f)`,
        'packages/core/src/b.test-d.ts': `it('infers (X-002)', f)`,
      }),
    )
    expect(found.errors).toEqual([])
    const counted = 'events             0/1\nroutes             2/2\n2/3 clauses cited by a test'
    expect(report(found, { list: false, areas: [] })).toBe(counted)
    const skipped = ['X-002', 'Z-001']
    expect(report(found, { list: false, areas: [], skipped })).toBe(
      `${counted}\n1 of them were not tested: the last whole run skipped all tests of X-002`,
    )
  })
})

describe('skippedClauses', () => {
  const ran = (status: string, fullName: string) => ({ status, fullName, title: fullName })
  const run = (...assertionResults: ReturnType<typeof ran>[]) =>
    skippedClauses({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] })

  it('are those of which no test ran, with what the titles say is missing', () => {
    expect(
      run(
        ran('passed', 'held twice (X-001)'),
        ran('skipped', 'over Redis (no redis-server on PATH) held twice (X-001, X-002)'),
        ran('failed', 'broken (X-003)'),
        ran('skipped', 'by hand (X-004)'),
      ),
    ).toEqual([
      { id: 'X-002', reasons: ['no redis-server on PATH'] },
      { id: 'X-004', reasons: [] },
    ])
  })

  it('are excused by a program that is missing, and by nothing else', () => {
    const skipped = run(
      ran('skipped', 'Redis (no CACHE_URL_TEST and no redis-server) (X-001)'),
      ran('skipped', 'TLS (X-002) (no openssl to make a certificate)'),
      ran('skipped', 'by hand (X-003)'),
    )
    const wrong = (...here: string[]) =>
      unexcused(skipped, (program) => here.includes(program)).map(({ id }) => id)
    expect(wrong()).toEqual(['X-003'])
    expect(wrong('redis-server')).toEqual(['X-001', 'X-003'])
    expect(wrong('openssl')).toEqual(['X-002', 'X-003'])
  })
})

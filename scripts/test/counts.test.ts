import { describe, expect, it } from 'vitest'
import { count, line, type Report } from './counts.ts'

function file(status: string, ...tests: string[]): Report['testResults'][number] {
  const titled = { title: 'works', fullName: 'it works' }
  return {
    name: 'a.test.ts',
    status,
    assertionResults: tests.map((each) => ({ ...titled, status: each })),
  }
}

describe('count', () => {
  it('counts tests over all files', () => {
    const testResults = [file('passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')]
    expect(count({ testResults }, 1)).toEqual({ passed: 2, failed: 1, skipped: 1 })
  })

  it('counts a file that failed to load, or whose hook threw, as one failure', () => {
    const testResults = [file('failed'), file('failed', 'skipped'), file('passed', 'passed')]
    expect(count({ testResults }, 1)).toEqual({ passed: 1, failed: 2, skipped: 1 })
  })

  it('fails a run that ended badly although every test passed', () => {
    expect(count({ testResults: [file('passed', 'passed')] }, 1).failed).toBe(1)
  })

  it('fails a run without a report', () => {
    expect(count(null, 0).failed).toBe(1)
  })

  it('fails a run in which no test ran', () => {
    expect(count({ testResults: [file('passed', 'skipped')] }, 0).failed).toBe(1)
  })

  it('takes a run of no tests where it may be empty, and nothing else', () => {
    const mayBeEmpty = true
    expect(count({ testResults: [] }, 0, { mayBeEmpty }).failed).toBe(0)
    expect(count({ testResults: [] }, 1, { mayBeEmpty }).failed).toBe(1)
    expect(count(null, 0, { mayBeEmpty }).failed).toBe(1)
  })
})

describe('line', () => {
  it('names skipped tests only when there are any', () => {
    expect(line({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(line({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
})

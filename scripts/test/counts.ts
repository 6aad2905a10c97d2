/** The part of vitest's JSON report that is read. */
export interface Report {
  testResults: {
    name: string
    status: string
    assertionResults: { status: string; title: string; fullName: string }[]
  }[]
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * Counts the results. A file that failed outside its tests (it did not load, a hook threw) is one
 * failure, and so is a run that ended badly without naming any. A run without tests is one too,
 * unless it may be empty.
 */
export function count(
  report: Report | null,
  exitCode: number,
  { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {},
): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status: fileStatus, assertionResults } of report?.testResults ?? []) {
    const failed = assertionResults.filter(({ status }) => status === 'failed').length
    const passed = assertionResults.filter(({ status }) => status === 'passed').length
    counts.passed += passed
    counts.failed += failed === 0 && fileStatus === 'failed' ? 1 : failed
    counts.skipped += assertionResults.length - passed - failed
  }
  const isEmpty = counts.passed + counts.failed === 0
  const endedBadly = exitCode !== 0 || report === null || (isEmpty && !mayBeEmpty)
  if (endedBadly && counts.failed === 0) counts.failed = 1
  return counts
}

export function line({ passed, failed, skipped }: Counts) {
  const counted = `${passed} passed, ${failed} failed`
  return skipped > 0 ? `${counted}, ${skipped} skipped` : counted
}

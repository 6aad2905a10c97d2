import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Report } from '../test/counts.ts'
import { idsIn } from './cited-clauses.ts'

/** A clause without a test that ran. */
export interface SkippedClause {
  id: string
  /**
   * What is missing according to the titles of its tests, such as `no redis-server on PATH`. Empty
   * if they don't say.
   */
  reasons: string[]
}

/** The clauses whose tests were all skipped. */
export function skippedClauses({ testResults }: Report): SkippedClause[] {
  const clauses = new Map<string, { ran: boolean; reasons: Set<string> }>()
  for (const { status, title, fullName } of testResults.flatMap((file) => file.assertionResults)) {
    for (const id of idsIn(title)) {
      const clause = clauses.get(id) ?? { ran: false, reasons: new Set() }
      clauses.set(id, clause)
      if (status === 'passed' || status === 'failed') clause.ran = true
      else clause.reasons.add(reasonIn(fullName))
    }
  }
  return [...clauses]
    .filter(([, { ran }]) => !ran)
    .map(([id, { reasons }]) => ({ id, reasons: [...reasons].filter(Boolean) }))
    .toSorted((a, b) => a.id.localeCompare(b.id))
}

/**
 * The titles of tests that need a program end with `(no redis-server on PATH)` if it is missing.
 */
function reasonIn(fullName: string) {
  return /\((no [^()]+)\)/.exec(fullName)?.[1] ?? ''
}

/**
 * Those that no missing program excuses: the program is here, or the title doesn't say which one it
 * needs.
 */
export function unexcused(skipped: SkippedClause[], isHere: (program: string) => boolean) {
  return skipped.filter(
    ({ reasons }) =>
      reasons.length === 0 || reasons.some((reason) => programsIn(reason).some(isHere)),
  )
}

function programsIn(reason: string) {
  return [...reason.matchAll(/\bno ([\w-]+)/g)].map(([, program = '']) => program)
}

const file = join('.svc', 'skipped-clauses.json')

/** Stores the clauses that `npm run clauses` counts separately. */
export function keepSkipped(root: string, skipped: SkippedClause[]) {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(skipped))
}

/** The clauses that the last whole run of the tests skipped; null if there was none. */
export function lastSkipped(root: string) {
  const path = join(root, file)
  if (!existsSync(path)) return null
  return JSON.parse(readFileSync(path, 'utf8')) as SkippedClause[] // written above
}

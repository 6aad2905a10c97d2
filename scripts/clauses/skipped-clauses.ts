import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Report } from '../test/counts.ts'
import { idsIn } from './cited-clauses.ts'

/** A clause of which no test ran. */
export interface SkippedClause {
  id: string
  /** What the titles of its tests say is missing, such as `no redis-server on PATH`. Empty where they say nothing. */
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

/** Titles of tests that need a program end with `(no redis-server on PATH)` where it is missing. */
function reasonIn(fullName: string) {
  return /\((no [^()]+)\)/.exec(fullName)?.[1] ?? ''
}

/** Those that no missing program excuses: what they need is here, or they don't say what they need. */
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

/** Keeps what `npm run clauses` counts apart. */
export function keepSkipped(root: string, skipped: SkippedClause[]) {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(skipped))
}

/** What the last whole run of the tests skipped; null where there was none. */
export function lastSkipped(root: string) {
  const path = join(root, file)
  if (!existsSync(path)) return null
  return JSON.parse(readFileSync(path, 'utf8')) as SkippedClause[] // written above
}

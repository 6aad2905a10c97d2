import type { TrailFinding, TrailReport } from '@svc/core'
import { aligned, paint } from '../terminal.ts'

const counted = (count: number) => count.toLocaleString('en')

/** The report for a terminal: first the findings, then how much was checked. */
export function reportText(report: TrailReport) {
  const { findings, found } = report
  const more = found - findings.length
  return [
    ...aligned(findings.map(cells)).map(([what = '', ...rest]) =>
      [paint('red', `✗ ${what}`), ...rest].join('   ').trimEnd(),
    ),
    ...(more > 0 ? [`and ${counted(more)} more`] : []),
    ...(found > 0 ? [''] : []),
    ...countsOf(report),
    '',
    verdict(report),
  ].join('\n')
}

function cells({ what, position, auditId, act, at, text }: TrailFinding) {
  const place = position === undefined ? '' : `position ${position}`
  const row = auditId === undefined ? '' : [`row ${auditId}`, act, at].filter(Boolean).join(', ')
  return [what, place, ...[row, text].map(inert)]
}

const longest = 200

/** An attacker may have written lines of a report, or orders to the terminal, into a row. */
function inert(text: string) {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown
}

function countsOf({ proofs, ...report }: TrailReport) {
  const counts: [string, number][] = [
    ['rows that are sealed', report.rows],
    ['rows that wait to be', report.unsealed],
    ['rows of purged accounts', report.purged],
    ['deleted by retention', report.retained],
    ['signed heads', report.heads],
    ...(report.otherKeys > 0
      ? [['signed with another key', report.otherKeys] satisfies [string, number]]
      : []),
    ...(proofs
      ? ([
          ['signed requests checked', proofs.checked],
          ['signed requests whose key is purged', proofs.keyIsGone],
        ] satisfies [string, number][])
      : []),
  ]
  const width = Math.max(...counts.map(([, count]) => counted(count).length))
  return aligned(counts.map(([what, count]) => [what, counted(count).padStart(width)])).map((row) =>
    row.join('   '),
  )
}

function verdict({ found, otherKeys }: TrailReport) {
  if (found === 0) return paint('green', 'The trail is as the server wrote it.')
  const hint =
    otherKeys > 0 ? ' Give the keys of earlier secrets with --key, if there were any.' : ''
  return `${paint('red', 'The trail is not as the server wrote it.')}${hint}`
}

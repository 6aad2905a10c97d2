import type { Db, TrailFinding } from '@svc/core'
import { contentDigest, personalDigest, personalFields } from './digests.ts'
import { purgedAmong } from './purged.ts'
import { findingOf, type SealedRow } from './read-seals.ts'
import type { Statements } from './read-statements.ts'
import { isPast } from './retention-rules.ts'
import type { WrittenRow } from './written-rows.ts'

type Outcome = 'whole' | 'purged' | 'retained' | Pick<TrailFinding, 'what' | 'text'>

const edited = (text: string) => ({ what: 'edited', text }) as const

/** Looks at each row beside its seal. */
export async function checkRows(db: Db, rows: readonly SealedRow[], { cuts }: Statements) {
  const owners = rows.flatMap(({ row }) => (row && isBlank(row) ? [ownerOf(row)] : []))
  const purged = await purgedAmong(db, owners)
  const isPurged = (row: WrittenRow) => purged.has(ownerOf(row), { at: row.at, cuts })
  const findings = new Map<number, TrailFinding>()
  const counts = { purged: 0, retained: 0 }
  const whole: WrittenRow[] = []
  for (const { seal, row } of rows) {
    const outcome = row ? checkRow(seal, row, isPurged) : checkGone(seal, cuts)
    if (outcome === 'whole' && row) whole.push(row)
    else if (outcome === 'purged' || outcome === 'retained') counts[outcome] += 1
    else if (typeof outcome === 'object') findings.set(seal.position, findingOf(seal, outcome))
  }
  return { ...counts, findings, whole }
}

const isBlank = (row: WrittenRow) => personalFields(row).every((field) => field === null)

/** Whose purge blanks it. */
const ownerOf = ({ actor, target }: WrittenRow) => actor ?? target ?? ''

function checkGone({ act, at }: SealedRow['seal'], cuts: Statements['cuts']): Outcome {
  return isPast(cuts, { act, at }) ? 'retained' : { what: 'removed', text: 'is not there any more' }
}

function checkRow(
  seal: SealedRow['seal'],
  row: WrittenRow & { position: number | null },
  isPurged: (row: WrittenRow) => boolean,
): Outcome {
  const isSame = contentDigest(row, seal.personal) === seal.content
  if (!isSame || row.at !== seal.at || row.act !== seal.act) return edited('is not what was sealed')
  if (row.position !== seal.position) {
    return { what: 'moved', text: `says that its position is ${row.position}` }
  }
  if (personalDigest(row) === seal.personal) return 'whole'
  if (!isBlank(row)) return edited('has other personal fields than were sealed')
  if (isPurged(row)) return 'purged'
  return edited('has lost its personal fields, and no account that it is of was deleted')
}

import type { Db, TrailFinding, TrailReport } from '@svc/core'
import { endFindings, latestMillis } from './check-ends.ts'
import { checkRows } from './check-rows.ts'
import { firstPrevious, sealDigest } from './digests.ts'
import { findingOf, type SealedRow, sealedAfter, stepSize } from './read-seals.ts'
import { readStatements, type Statements } from './read-statements.ts'
import type { Head, Place, PublicTrailKey } from './statements.ts'
import type { WrittenRow } from './written-rows.ts'

interface Given {
  /** A transaction that sees one moment. */
  readonly db: Db
  readonly now: Date
  readonly keys: readonly PublicTrailKey[]
  /** Heads that were kept elsewhere. */
  readonly elsewhere: readonly string[]
  /** Looks at more of the rows that are as they were sealed. */
  readonly alsoCheck?: (rows: readonly WrittenRow[]) => Promise<TrailFinding[]>
}

/** More of them say nothing more. */
const mostFindings = 1000

/** Reads the whole chain beside its rows. */
export async function verifyChain({ db, now, keys, elsewhere, alsoCheck }: Given) {
  const statements = await readStatements(db, keys, elsewhere)
  const counts = { rows: 0, sealed: 0, purged: 0, retained: 0 }
  const findings: TrailFinding[] = []
  let found = 0
  const tell = (more: readonly TrailFinding[]) => {
    findings.push(...more.slice(0, mostFindings - findings.length))
    found += more.length
  }
  tell(statements.findings)
  tell(pastHeadFindings(statements))
  const walk = walkFrom(statements, now)
  for (let place = `${walk.position()}`; ; ) {
    const rows = await sealedAfter(db, place)
    const checked = await checkRows(db, rows, statements)
    for (const { seal, row } of rows) {
      const ofRow = checked.findings.get(seal.position)
      tell([...(ofRow ? [ofRow] : []), ...walk.step(seal, { isThere: row !== null, ofRow })])
    }
    tell((await alsoCheck?.(checked.whole)) ?? [])
    counts.sealed += rows.length
    counts.rows += rows.filter(({ row }) => row !== null).length
    counts.purged += checked.purged
    counts.retained += checked.retained
    place = rows.at(-1)?.place ?? place
    if (rows.length < stepSize) break
  }
  const ends = await endFindings(db, { now, statements, last: walk.position() })
  tell(ends.findings)
  const { heads, otherKeys } = statements
  return { ...counts, ...ends, heads: heads.length, otherKeys, found, findings } satisfies Omit<
    TrailReport,
    'proofs'
  >
}

interface Before {
  readonly position: number
  readonly digest: string
  /** What does not fit behind it was told of this one. */
  readonly isBlamed: boolean
}

interface OfRow {
  readonly isThere: boolean
  readonly ofRow: TrailFinding | undefined
}

/** Goes along the chain, from seal to seal and from head to head. */
function walkFrom({ begin, heads }: Statements, now: Date) {
  const { position, digest } = begin ?? { position: 0, digest: firstPrevious }
  let before: Before = { position, digest, isBlamed: false }
  let nextHead = 0
  let head: Head | undefined
  return {
    position: () => before.position,
    step(seal: SealedRow['seal'], { isThere, ofRow }: OfRow): TrailFinding[] {
      const late = isThere && !ofRow ? lateFindings(seal, head) : []
      const links = linkFindings(before, seal, ofRow)
      const signed: TrailFinding[] = []
      const next = heads[nextHead]
      for (; heads[nextHead] && (heads[nextHead]?.position ?? 0) <= seal.position; nextHead += 1) {
        head = heads[nextHead]
        if (head) signed.push(...headFindings(seal, head))
      }
      const cover = next && next.position >= seal.position ? next : heads[nextHead]
      const early = isThere && !ofRow ? earlyFindings(seal, cover, now) : []
      const isBlamed = ofRow !== undefined || sealDigest(seal) !== seal.digest
      before = { position: seal.position, digest: seal.digest, isBlamed }
      return [...late, ...early, ...links, ...signed]
    },
  }
}

function linkFindings(before: Before, seal: SealedRow['seal'], ofRow: TrailFinding | undefined) {
  const { position, auditId } = seal
  if (position > before.position + 1) {
    const [from, to] = [before.position + 1, position - 1]
    const places = from === to ? `position ${from} is` : `positions ${from} to ${to} are`
    const text = `${places} gone with what was there, before row ${auditId}`
    return [{ what: 'removed' as const, position: from, text }]
  }
  if (ofRow) return []
  if (sealDigest(seal) !== seal.digest) {
    return [findingOf(seal, { what: 'moved', text: 'is not in the place where it was sealed' })]
  }
  if (seal.previous === before.digest || before.isBlamed) return []
  return [findingOf(seal, { what: 'broken', text: 'does not follow the row before it' })]
}

function headFindings({ position, digest }: Place, head: Head): TrailFinding[] {
  if (head.position !== position || head.digest === digest) return []
  const text = `the chain up to here is not the one that the server signed at ${head.at}`
  return [{ what: 'rewritten', position, text }]
}

/** Heads whose seals retention let go: the last one is compared, and none may be of a row that was not past. */
function pastHeadFindings({ begin, heads }: Statements): TrailFinding[] {
  if (!begin) return []
  return heads.flatMap((head) => {
    const { position, rowAt, at } = head
    if (position > begin.position) return []
    if (rowAt < begin.before) return headFindings(begin, head)
    const text = `retention let go of what the server signed at ${at}, before its time`
    return [{ what: 'rewritten' as const, position, text }]
  })
}

/** A head is signed when all rows of its time are sealed, so an older row behind it was put in later. */
function lateFindings(seal: SealedRow['seal'], head: Head | undefined): TrailFinding[] {
  const isLate = head && Number(seal.at) * 1000 < Date.parse(head.at) - latestMillis
  if (!isLate) return []
  const text = `says an earlier time than the head of ${head.at}, and was sealed after that`
  return [findingOf(seal, { what: 'inserted', text })]
}

/** No row was written before its time: what the server seals is over. */
function earlyFindings(seal: SealedRow['seal'], cover: Head | undefined, now: Date) {
  const sealedBy = cover ? Date.parse(cover.at) : now.getTime()
  if (Number(seal.at) * 1000 <= sealedBy + latestMillis) return []
  const than = cover ? `the head of ${cover.at}, which covers it` : 'the present'
  return [findingOf(seal, { what: 'inserted', text: `says a later time than ${than}` })]
}

import type { Tx } from '@svc/core'
import { slugPattern } from '../membership/contract.ts'
import { store as organizations } from '../membership/membership.ts'
import { freshSlug, slugOf } from '../organizations/organizations.ts'
import { type ImportedOrganization, type Line, RefusedRow, type Run } from './run.ts'
import * as store from './store.ts'

type Opening = ImportedOrganization & { readonly line: number }

/** For a row that doesn't make its organization: without a member, it would have no owner. */
export async function requireOrganization(tx: Tx, run: Run, opening: Opening) {
  const { organizationId } = opening
  // A dry run has made it, and taken it back.
  const isKnown = run.seen.get(organizationId)?.isThere || (await findOurs(tx, run, organizationId))
  if (!isKnown) throw new RefusedRow('organization_unknown')
  await openOrganization(tx, run, opening)
}

/** The organization of a row, locked, and made if it is not there. Returns what became of it. */
export async function openOrganization(tx: Tx, run: Run, opening: Opening): Promise<Line> {
  const { line, organizationId } = opening
  const found = await findOurs(tx, run, organizationId)
  const created = found ? null : await create(tx, run, opening)
  // Another run may have made it meanwhile.
  const row = found ?? created ?? (await findOurs(tx, run, organizationId))
  if (!row) throw new RefusedRow('id_taken')
  const isRenamed = created && opening.slug !== undefined && row.slug !== opening.slug
  return {
    line,
    kind: 'organization',
    outcome: created ? 'created' : 'exists',
    organizationId,
    ...(isRenamed && { left: ['slug'] }),
  }
}

const markOf = ({ from }: Pick<Run, 'from'>) => `from ${from}`

/** Refuses one that was not imported from this system: its id may be an attacker's choice there. */
async function findOurs(tx: Tx, run: Run, organizationId: string) {
  const found = await store.lockAny(tx, organizationId)
  if (!found) return null
  if (!(await store.isMarked(tx, { organizationId, thing: markOf(run) }))) {
    throw new RefusedRow('id_taken')
  }
  if (found.state !== 'open') throw new RefusedRow('closed')
  return found
}

const slugForm = new RegExp(slugPattern)

/** Null if there is one with this id by now. */
async function create(tx: Tx, run: Run, opening: Opening) {
  const { organizationId, name, createdAt } = opening
  const slug = opening.slug && slugForm.test(opening.slug) ? opening.slug : undefined
  const plain = slugOf(name)
  for (const each of [slug, plain, freshSlug(slug ?? plain)]) {
    if (!each) continue
    const row = { organizationId, name, slug: each, at: createdAt }
    const inserted = await organizations.insertOrganization(tx, row)
    if (!inserted) continue
    await store.mark(tx, { organizationId, thing: markOf(run) })
    const details = { organizationId, source: run.from }
    const entry = { target: organizationId, details, at: run.clock.now() }
    await run.audit(tx, 'organization.imported', entry)
    return inserted
  }
  return null
}

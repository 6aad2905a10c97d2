import type { Tx } from '@svc/core'
import { isIssued, isOpened, type Presented } from './presented.ts'
import { mailedLinks } from './schema.ts'

// A transition is one UPDATE guarded by purpose, state and time: of racing callers, one gets the row.

const spend = (now: Date) => ({ state: 'spent' as const, endedAt: now })

/** issued → spent, for a link that needs no setup session. */
export async function spendIssued(tx: Tx, presented: Presented) {
  const spent = await tx
    .update(mailedLinks)
    .set(spend(presented.now))
    .where(isIssued(presented))
    .returning({ linkId: mailedLinks.linkId })
  return spent.length === 1
}

/** opened → spent. */
export async function spendOpened(tx: Tx, presented: Presented) {
  const spent = await tx
    .update(mailedLinks)
    .set(spend(presented.now))
    .where(isOpened(presented))
    .returning({ linkId: mailedLinks.linkId })
  return spent.length === 1
}

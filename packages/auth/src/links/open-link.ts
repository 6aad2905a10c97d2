import type { Db } from '@svc/core'
import type { TokenHash } from '../crypto/token.ts'
import { isIssued, type Presented } from './presented.ts'
import { mailedLinks } from './schema.ts'

/** issued → opened: the link becomes a setup session with a secret of its own. */
export async function openLink(
  db: Db,
  presented: Presented,
  { setupHash, expiresAt }: { setupHash: TokenHash; expiresAt: Date },
) {
  const [opened] = await db
    .update(mailedLinks)
    .set({ state: 'opened', setupHash, expiresAt })
    .where(isIssued(presented))
    .returning({ email: mailedLinks.subject, returnPath: mailedLinks.returnPath })
  return opened ?? null
}

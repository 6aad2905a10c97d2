import type { AccountParts } from '../capability/capability.ts'
import { forgetAttempts } from '../limits/limits.ts'
import { endEveryLink, forgetLinks, forgetLinksOf } from '../links/links.ts'
import { forgetSpent } from '../once/once.ts'

/** The parts for what is shared by all capabilities, and belongs to none. */
export const roomParts: AccountParts<object> = {
  async sweep(db, now) {
    await forgetSpent(db, now)
    await forgetAttempts(db, now)
    await forgetLinks(db, now)
  },
  forget: forgetLinksOf,
  endUnderWay: async (db, now) => ({ links: await endEveryLink(db, now) }),
}

import { lockAccount, normaliseEmail, preferredLocale } from '../accounts/accounts.ts'
import type { Auth } from '../auth.ts'
import type { LinkPlan, Links } from '../capability/capability.ts'
import { hashToken } from '../crypto/crypto.ts'
import { findIssued, orderLink, readReturnPath, spendIssued } from '../links/links.ts'
import { admitSend } from '../sends/sends.ts'

/** The form in rows: a capability's name keeps its purposes apart from those of others. */
export const purposeOf = (capability: string, purpose: string) =>
  `${capability}/${purpose}` as const

/** The variables have the type that the plan was defined with in its capability. */
export const minutesOf = ({ minutes }: LinkPlan<never>, env: object) =>
  typeof minutes === 'function' ? minutes(env as never) : minutes

interface Given {
  readonly capability: string
  readonly plans: Readonly<Record<string, LinkPlan<never>>>
  readonly env: object
}

/** The mailed links of a capability. */
export function linksOf(auth: Auth, { capability, plans, env }: Given): Links {
  function planOf(purpose: string) {
    const plan = plans[purpose]
    if (plan) return plan
    throw new Error(`The capability ${capability} declares no link "${purpose}".`)
  }

  return {
    async order(name, address, { origin, c, returnPath, proofs = {} }) {
      const ttlMinutes = minutesOf(planOf(name), env)
      const purpose = purposeOf(capability, name)
      const subject = normaliseEmail(address)
      const path = readReturnPath(returnPath)
      const identifier = { type: 'email' as const, value: subject }
      await admitSend(auth, { identifier, purpose, proofs, origin })
      const locale = preferredLocale(c.raw.req.header('accept-language'))
      return orderLink(auth, { purpose, subject, returnPath: path, locale, ttlMinutes })
    },
    spend(name, token, use) {
      planOf(name)
      const now = auth.clock.now()
      const presented = { purpose: purposeOf(capability, name), hash: hashToken(token), now }
      return auth.db.transaction(async (tx) => {
        const link = await findIssued(tx, presented)
        if (!link) return null
        const { subject: address, userId, generation, returnPath } = link
        // Locks the account first, as everywhere: an earlier revocation has changed its generation.
        if (userId !== null) await lockAccount(tx, userId)
        if (!(await spendIssued(tx, presented))) return null
        const account = userId === null || generation === null ? null : { userId, generation }
        return use(tx, { address, account, returnPath })
      })
    },
  }
}

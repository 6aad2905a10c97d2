import { authContracts } from '../../contracts.ts'
import type { LimitName, LimitTable } from '../contract.ts'

/** The limits of all capabilities. */
export const everyLimit: LimitTable = Object.assign(
  {},
  ...authContracts.map(({ limits }) => limits),
)

export function limitOf(name: LimitName) {
  const limit = everyLimit[name]
  if (!limit) throw new Error(`There is no limit ${name}.`)
  return limit.limit
}

import { and, type Column, eq, isNull, or } from 'drizzle-orm'

/** The user who looks at a request by its user code, or decides it. */
export interface Claim {
  userCode: string
  userId: string
  now: Date
}

/** The columns of a table of requests that users find by a code. */
interface Claimable {
  userCode: Column
  claimedBy: Column
}

/** The first account that looks at a code has it alone. */
export const isFreeFor = (requests: Claimable, { userCode, userId }: Claim) =>
  and(
    eq(requests.userCode, userCode),
    or(isNull(requests.claimedBy), eq(requests.claimedBy, userId)),
  )

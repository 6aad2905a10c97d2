import type { TestAuth } from '@svc/auth/testing'
import { namesIn } from './inputs.ts'
import {
  askAs,
  type NewOrganization,
  newOrganization,
  type People,
  type TestOrganization,
} from './people.ts'

const isReopening = (name: string) =>
  name === 'reopenOrganization' || name === 'reopenAnyOrganization'

/** The organizations in which an operation is asked for: one of the callers, and one of others. */
export function organizationsOf(
  auth: TestAuth,
  { users, programs }: People,
  rows: Pick<NewOrganization, 'insertRows'> = {},
) {
  const emails: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(users).map(([name, { email }]) => [name, email]),
  )

  /** One for each cell, so that none finds what another one has changed. */
  async function ownOf(name: string, as = '') {
    // No one leaves a closed one.
    const isLeft = as === 'former' && !isReopening(name)
    const own = await newOrganization(auth, {
      ...rows,
      members: {
        ...(isLeft && { [users.former.userId]: ['admin'] }),
        [users.owner.userId]: ['owner'],
        [users.admin.userId]: ['admin'],
        [users.clerk.userId]: ['clerk'],
        [users.member.userId]: ['member'],
        [users.supported.userId]: ['member'],
      },
      ...(emails[as] && { invited: emails[as] }),
      ...(emails[as] && name === 'joinOrganization' && { joinable: emails[as] }),
      isClosed: isReopening(name),
      programs: programs[as] ? [programs[as]] : [],
      hasProgram: namesIn(name).includes('programId'),
    })
    if (isLeft) await leave(own)
    return own
  }

  async function leave({ named, mark }: TestOrganization) {
    const [read, left] = [
      await askAs(auth, users.former, 'getOrganization', named),
      await askAs(auth, users.former, 'leaveOrganization', named),
    ]
    if (!read.text.includes(mark) || left.status !== 204) throw new Error(left.text)
  }

  /** One in which none of the callers is. */
  const otherOf = (name: string) =>
    newOrganization(auth, {
      ...rows,
      members: { [crypto.randomUUID()]: ['owner'] },
      isClosed: isReopening(name),
      hasProgram: true,
    })

  return { ownOf, otherOf, isReopening }
}

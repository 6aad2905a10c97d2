import type { Holder } from '../accounts/find-holders.ts'
import type { ImportedUser } from './imported-user.ts'

export type Rehearsal = ReturnType<typeof createRehearsal>

/**
 * What a dry run has opened and taken back: a later row must meet it all the same. A run that commits finds it in the
 * tables, and keeps nothing here.
 */
export function createRehearsal() {
  const byName = new Map<string, Holder>()

  return {
    remember(userId: string, user: ImportedUser) {
      const { email = null, phone = null, username = null } = user
      const holder = { userId, email, phone, username }
      for (const name of namesOf(userId, user)) byName.set(name, holder)
    },
    holdersOf(userId: string | undefined, user: ImportedUser): Holder[] {
      const found = namesOf(userId, user).map((name) => byName.get(name))
      return [...new Set(found)].filter((holder) => holder !== undefined)
    },
    linkedTo: (provider: string, id: string) => byName.get(linkName(provider, id))?.userId ?? null,
  }
}

const linkName = (provider: string, id: string) => `${provider} ${id}`

function namesOf(userId: string | undefined, { email, phone, username, accounts }: ImportedUser) {
  return [
    ...(userId === undefined ? [] : [`id ${userId}`]),
    ...(email === undefined ? [] : [`email ${email}`]),
    ...(phone === undefined ? [] : [`phone ${phone}`]),
    ...(username === undefined ? [] : [`username ${username}`]),
    ...accounts.map(({ provider, id }) => linkName(provider, id)),
  ]
}

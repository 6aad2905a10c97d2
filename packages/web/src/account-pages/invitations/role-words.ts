import type { RoleItem } from '@svc/auth'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'

const builtIn: Record<string, AccountSentence> = {
  user: 'User',
  admin: 'Administrator',
  superadmin: 'Super administrator',
}

/** What a role is called. Who is not told which roles there are knows those that are always there; any other has its name. */
export function roleWords(say: Say, role: string, roles: RoleItem[] | null) {
  const known = roles?.find(({ name }) => name === role)
  if (known) return known.displayName
  const always = Object.hasOwn(builtIn, role) ? builtIn[role] : undefined
  return always ? say(always) : role
}

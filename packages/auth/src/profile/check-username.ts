import { isUsernameTaken } from '../accounts/username.ts'
import type { Needs } from '../auth.ts'
import { isReserved, parseUsername } from './username.ts'

/** Whatever cannot be a username, such as an email address, is not available, and nobody is looked up for it. */
export async function checkUsername({ db, env }: Needs<'db' | 'env'>, given: string) {
  const username = parseUsername(given, env)
  if (username === null || isReserved(username, env)) return { available: false }
  return { available: !(await isUsernameTaken(db, username)) }
}

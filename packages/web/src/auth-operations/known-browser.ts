import { knownBrowserHeader } from '@svc/auth'
import type { KnownAccounts } from '../session/session.ts'
import { jsonOf, type Turn, withBody } from './outcome.ts'
import { heldSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'

const known: SealedCookie<'known browser'> = {
  name: 'svc_known',
  purpose: 'known browser',
  // A request without it is not refused.
  absent: '',
}

// As long as the API accepts each token. Signing out keeps it, because it is for the next sign-in.
const lifeMillis = 365 * 86_400_000

// Enough for people who share a computer, and small enough for one cookie.
const mostAccounts = 5

/** Shows the API which accounts have signed in in this browser, where an operation counts strangers. */
export async function withKnownBrowser(turn: Turn): Promise<Turn> {
  const { call } = turn
  if (!call.operation.headers?.includes(knownBrowserHeader)) return turn
  const held = await heldSealed(turn, known)
  if (!held) return turn
  const tokens = held.content.map(({ token }) => token).join(',')
  return { ...turn, call: { ...call, headers: { ...call.headers, [knownBrowserHeader]: tokens } } }
}

/** Moves the token of a known browser from the answer into the cookie, where no script can read it. */
export async function keepKnownBrowser(turn: Turn, answer: Response) {
  const { knownBrowser: token, ...shown } = await jsonOf(answer)
  const { userId } = shown
  if (typeof token !== 'string' || typeof userId !== 'string') return { answer, cookies: [] }
  const before = (await heldSealed(turn, known))?.content ?? []
  const others = before.filter((account) => account.userId !== userId)
  const content: KnownAccounts = [{ userId, token }, ...others].slice(0, mostAccounts)
  const cookie = await setSealed(turn, known, { content, lifeMillis })
  return { answer: withBody(answer, shown), cookies: [cookie] }
}

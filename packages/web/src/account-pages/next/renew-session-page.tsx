import { redirect } from 'next/navigation.js'
import { isSessionToRenew } from '../../guards/guards.ts'
import { returnPath } from '../../page/client.ts'
import { RenewSessionView } from '../binding/renew-session.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** Guards send a bound session here whose key has run out. */
export async function RenewSessionPage({ searchParams, ...slots }: EntranceProps<'returnTo'>) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await knownSession()) redirect(returnTo)
  // While the API is away the page says so, once it is asked to go on.
  const hasOne = await isSessionToRenew().catch(() => true)
  return <RenewSessionView {...slots} returnTo={returnTo} hasNone={!hasOne} />
}

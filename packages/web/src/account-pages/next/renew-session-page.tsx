import { redirect } from 'next/navigation.js'
import { isSessionToRenew } from '../../guards/guards.ts'
import { returnPath } from '../../page/client.ts'
import { RenewSessionView } from '../binding/renew-session.tsx'
import type { EntranceProps } from './page-props.ts'
import { knownSession } from './server-account.ts'

/** Guards send a bound session here when its key has expired. */
export async function RenewSessionPage({ searchParams, ...slots }: EntranceProps<'returnTo'>) {
  const returnTo = returnPath((await searchParams).returnTo)
  if (await knownSession()) redirect(returnTo)
  // If the API is down, the page says so when the user renews.
  const hasOne = await isSessionToRenew().catch(() => true)
  return <RenewSessionView {...slots} returnTo={returnTo} hasNone={!hasOne} />
}

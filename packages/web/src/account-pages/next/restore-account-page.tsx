import { RestoreAccount } from '../deletion/restore-account.tsx'
import { lastDay } from '../deletion/restore-address.ts'
import type { EntranceProps } from './page-props.ts'

/** Restores an account that waits for its deletion. */
export async function RestoreAccountPage({
  searchParams,
  ...slots
}: EntranceProps<'with' | 'until'>) {
  const given = await searchParams
  return (
    <RestoreAccount
      {...slots}
      way={given.with === 'code' ? 'code' : 'password'}
      until={lastDay(given.until, Date.now())}
    />
  )
}

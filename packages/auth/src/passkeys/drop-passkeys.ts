import type { Tx } from '@svc/core'
import { passkeysGone } from './passkeys-gone.ts'
import { deleteMadeSince } from './store.ts'

type Dropping = Omit<Parameters<typeof passkeysGone>[2], 'gone'> & { since: Date }

/** Takes away every passkey that was put into an account at that moment or later: somebody else may hold it. */
export async function dropPasskeysSince(
  tx: Tx,
  auth: Parameters<typeof passkeysGone>[1],
  { since, ...dropping }: Dropping,
) {
  const gone = await deleteMadeSince(tx, { userId: dropping.account.userId, since })
  await passkeysGone(tx, auth, { ...dropping, gone })
}

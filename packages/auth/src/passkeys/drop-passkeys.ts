import type { Tx } from '@svc/core'
import { type Gone, type GoneNeeds, passkeysGone } from './passkeys-gone.ts'
import { deleteMadeSince } from './store.ts'

type Dropping = Omit<Gone, 'gone'> & { since: Date }

/** Takes away every passkey that was put into an account at that moment or later: somebody else may hold it. */
export async function dropPasskeysSince(tx: Tx, auth: GoneNeeds, { since, ...dropping }: Dropping) {
  const gone = await deleteMadeSince(tx, { userId: dropping.account.userId, since })
  await passkeysGone(tx, auth, { ...dropping, gone })
}

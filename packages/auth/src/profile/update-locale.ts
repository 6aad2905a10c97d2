import { setLocale } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import type { Signer } from '../keys/lock-caller.ts'
import { holdAccount } from './hold-account.ts'
import { readLocale } from './locale.ts'

/** Null is the language that every account begins with. */
export async function updateLocale(
  { db }: Needs<'db'>,
  { caller, locale: given }: { caller: Signer; locale: string | null },
) {
  const locale = given === null ? null : readLocale(given)
  return db.transaction(async (tx) => ({
    locale: await setLocale(tx, await holdAccount(tx, caller), locale),
  }))
}

import { setLocale } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import { holdAccount } from './hold-account.ts'
import { readLocale } from './locale.ts'

/** Null is the language that every account begins with. */
export async function updateLocale(
  { db }: Needs<'db'>,
  { userId, locale: given }: { userId: string; locale: string | null },
) {
  const locale = given === null ? null : readLocale(given)
  return db.transaction(async (tx) => ({
    locale: await setLocale(tx, await holdAccount(tx, userId), locale),
  }))
}

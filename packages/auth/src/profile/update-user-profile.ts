import { refuseLargeMetadata } from '../accounts/metadata.ts'
import { changeProfile, setLocale } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import type { Signer } from '../keys/lock-caller.ts'
import type { ProfileChanges } from './contract.ts'
import { getUserProfile } from './get-user-profile.ts'
import { holdAccount } from './hold-account.ts'
import { readLocale } from './locale.ts'
import { readTimezone } from './timezone.ts'
import { readWebAddress } from './web-address.ts'

/** Changes what is named, all of it or nothing. */
export async function updateUserProfile(
  auth: Needs<'db'>,
  { caller, changes }: { caller: Signer; changes: ProfileChanges },
) {
  const { locale, ...others } = readChanges(changes)
  await auth.db.transaction(async (tx) => {
    const account = await holdAccount(tx, caller)
    await changeProfile(tx, account, others)
    if (locale !== undefined) await setLocale(tx, account, locale)
  })
  return getUserProfile(auth, caller.userId)
}

function readChanges(changes: ProfileChanges): ProfileChanges {
  const { avatarUrl, website, locale, timezone, metadata } = changes
  refuseLargeMetadata(metadata, 'kept')
  return {
    ...changes,
    ...(typeof avatarUrl === 'string' && {
      avatarUrl: readWebAddress(avatarUrl, 'body.avatarUrl'),
    }),
    ...(typeof website === 'string' && { website: readWebAddress(website, 'body.website') }),
    ...(typeof locale === 'string' && { locale: readLocale(locale) }),
    ...(typeof timezone === 'string' && { timezone: readTimezone(timezone) }),
  }
}

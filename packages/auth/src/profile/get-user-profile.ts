import { UnauthorizedError } from '@svc/core'
import { readProfile } from '../accounts/profile.ts'
import type { Needs } from '../auth.ts'
import type { UserProfile } from './contract.ts'

export async function getUserProfile({ db }: Needs<'db'>, userId: string): Promise<UserProfile> {
  const found = await readProfile(db, userId)
  if (!found) throw new UnauthorizedError()
  const { publicId, email, username, createdAt, lastLoginAt } = found.account
  const { locale, emailVerifiedAt, phoneVerifiedAt } = found.account
  const { timezone, metadata, userId: _, ...texts } = found.profile
  return {
    userId,
    publicId,
    ...given({ email, username }),
    emailVerified: emailVerifiedAt !== null,
    phoneVerified: phoneVerifiedAt !== null,
    createdAt: createdAt.toISOString(),
    ...(lastLoginAt && { lastLoginAt: lastLoginAt.toISOString() }),
    profile: { ...given(texts), locale, timezone, metadata },
  }
}

/** The members that have a value: an answer leaves the others out. */
function given<Name extends string>(texts: Record<Name, string | null>) {
  const present = Object.entries<string | null>(texts).filter(([, text]) => text !== null)
  return Object.fromEntries(present) as Partial<Record<Name, string>> // without those that are null
}

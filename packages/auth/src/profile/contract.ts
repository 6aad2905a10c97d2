import { type OutputOf, route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import * as errors from './errors.ts'
import { ReservedUsernameError, UsernameAlreadyTakenError } from './errors.ts'

// Control characters break a log or a terminal, directional overrides reverse the text around a
// name, and no column holds half a surrogate pair.
const unprintable = '\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069'
const line = (maxLength: number) => t.String({ maxLength, pattern: `^[^${unprintable}]*$` })
const lines = (maxLength: number) =>
  t.String({ maxLength, pattern: `^(?:[\\t\\n\\r]|[^${unprintable}])*$` })
const orNull = <Schema extends ReturnType<typeof line>>(schema: Schema) =>
  t.Optional(t.Union([schema, t.Null()]))

const metadata = t.Record(t.String(), t.Unknown())

/** A member that is left out stays as it is; null clears it. */
export const profileChanges = {
  displayName: orNull(line(100)),
  firstName: orNull(line(100)),
  lastName: orNull(line(100)),
  avatarUrl: orNull(line(2048)),
  bio: orNull(lines(2000)),
  locale: orNull(line(64)),
  timezone: orNull(line(64)),
  website: orNull(line(2048)),
  location: orNull(line(200)),
  company: orNull(line(200)),
  jobTitle: orNull(line(200)),
  metadata: t.Optional(t.Union([metadata, t.Null()])),
}
const ProfileChanges = t.Object(profileChanges)
export type ProfileChanges = OutputOf<typeof ProfileChanges>

const UserProfile = t.Object({
  userId: t.String(),
  publicId: t.String(),
  email: t.Optional(t.String()),
  username: t.Optional(t.String()),
  emailVerified: t.Boolean(),
  phoneVerified: t.Boolean(),
  createdAt: t.String(),
  lastLoginAt: t.Optional(t.String()),
  profile: t.Object({
    displayName: t.Optional(t.String()),
    firstName: t.Optional(t.String()),
    lastName: t.Optional(t.String()),
    avatarUrl: t.Optional(t.String()),
    bio: t.Optional(t.String()),
    locale: t.String(),
    timezone: t.String(),
    website: t.Optional(t.String()),
    location: t.Optional(t.String()),
    company: t.Optional(t.String()),
    jobTitle: t.Optional(t.String()),
    metadata,
  }),
})
export type UserProfile = OutputOf<typeof UserProfile>

const Username = t.Union([t.String({ maxLength: 256 }), t.Null()])
const Locale = t.Union([t.String({ maxLength: 64 }), t.Null()])

/** An account's description of itself. It decides nothing that the account may do. */
export const profileContract = defineContract('profile', {
  at: '/_auth/users',
  operations: {
    checkUsername: allow.public('username check by address')(
      route
        .get('/_auth/users/username/check')
        .input({
          query: t.Object({
            username: t.String({ maxLength: 256, description: 'The username to check.' }),
          }),
        })
        .answer(t.Object({ available: t.Boolean() }))
        .errors(...limitRefusals)
        .describe({ summary: 'Says whether this username is free and allowed.' }),
    ),
    updateUsername: allow.bearer('owner only')(
      route
        .patch('/_auth/users/username')
        .input({ body: t.Object({ username: Username }) })
        .answer(t.Object({ username: t.Union([t.String(), t.Null()]) }))
        .errors(UsernameAlreadyTakenError, ReservedUsernameError, ...limitRefusals)
        .describe({ summary: 'Sets the username of the caller; null removes it.' }),
    ),
    updateLocale: allow.bearer('owner only')(
      route
        .patch('/_auth/users/locale')
        .input({ body: t.Object({ locale: Locale }) })
        .answer(t.Object({ locale: t.String() }))
        .describe({ summary: 'Sets the language of the account, as a BCP 47 tag.' }),
    ),
    getUserProfile: allow.bearer('support too')(
      route
        .get('/_auth/users/profile')
        .answer(UserProfile)
        .describe({ summary: 'Returns the profile of the caller.' }),
    ),
    updateUserProfile: allow.bearer('owner only')(
      route
        .patch('/_auth/users/profile')
        .input({ body: ProfileChanges })
        .answer(UserProfile)
        .describe({ summary: 'Changes the given fields of the profile; null clears one.' }),
    ),
  },
  errors: Object.values(errors),
  limits: {
    'username check by address': perMinute(30),
  },
})

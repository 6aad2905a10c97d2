/** The id of a provider: one of ours, or one that the application has registered. */
export type SocialProvider = string

export const BUILTIN_PROVIDERS = ['google', 'apple', 'github', 'kakao', 'naver'] as const
export type BuiltinProvider = (typeof BUILTIN_PROVIDERS)[number]

const known = new Set<SocialProvider>(BUILTIN_PROVIDERS)

/** Every id that an account may be linked by, and that `auth.login` and `auth.register` may name. */
export const SOCIAL_PROVIDERS: ReadonlySet<SocialProvider> = known

// It appears in paths, and among the other names of ways in.
const idPattern = /^[a-z][a-z0-9-]{1,31}$/
const taken = new Set(['email', 'phone', 'passkey', 'device', 'start', 'finalize', 'providers'])

/** Allows accounts to be linked by another id. */
export function addSocialProvider(id: string) {
  if (!idPattern.test(id) || taken.has(id)) {
    throw new Error(
      `${JSON.stringify(id)} cannot be the id of a provider: 2 to 32 of a-z, 0-9 and -, beginning with a letter, and none of ${[...taken].join(', ')}.`,
    )
  }
  known.add(id)
}

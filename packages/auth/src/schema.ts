import { profiles, users } from './accounts/schema.ts'
import { authCapabilities } from './capabilities.ts'
import { attempts } from './limits/schema.ts'
import { mailedLinks } from './links/schema.ts'
import { spent } from './once/schema.ts'
import { svcAuth } from './pg-schema.ts'
import { signInChallenges } from './sign-in/schema.ts'

const shared = {
  svcAuth,
  profiles,
  users,
  attempts,
  mailedLinks,
  signInChallenges,
  spent,
}

/** Every table of the service, for the generator of migrations. */
export const schema: Readonly<Record<string, unknown>> = Object.assign(
  { ...shared },
  ...authCapabilities({}).map(({ parts }) => parts.tables ?? {}),
)

import { whenConfigured } from '../authorization-server/configured.ts'
import { inOAuthWords } from '../authorization-server/in-oauth-words.ts'
import { implement } from '../running/implement.ts'
import { oauth2ClientContract } from './contract.ts'
import { registerClient, whenRegistrationIsOn } from './register-client.ts'

export const oauth2ClientRoutes = implement(
  oauth2ClientContract,
  {
    registerOAuth2Client: async ({ auth, caller, body, origin, c }) =>
      c.created(await registerClient(auth, { caller, metadata: body, origin })),
  },
  { first: [whenConfigured, whenRegistrationIsOn, inOAuthWords] },
)

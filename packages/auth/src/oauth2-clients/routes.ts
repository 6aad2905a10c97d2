import { implement } from '../implement.ts'
import { whenConfigured } from '../oauth2/configured.ts'
import { inOAuthWords } from '../oauth2/in-oauth-words.ts'
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

import { afterAll, beforeAll } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

export const server = `import { defineServer, EnvironmentError } from '@svc/core'

const lifecycle = {
  name: 'sign-in',
  validateEnvironment({ NODE_ENV, SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret = '', SVC_MAIL_URL }) {
    if (NODE_ENV !== 'production') return
    const problems = [
      secret.length < 32 && 'SVC_AUTH_VERIFICATION_TOKEN_SECRET is required',
      !SVC_MAIL_URL && 'SVC_MAIL_URL is required',
    ].filter((problem) => problem !== false)
    if (problems.length > 0) throw new EnvironmentError(problems)
  },
}
export default defineServer().lifecycle(lifecycle).database({ schema: {} })
`

export const address = 'NEXT_PUBLIC_SVC_API_URL=https://api.example.com\n'

export const made = `✓ SVC_AUTH_VERIFICATION_TOKEN_SECRET
✓ SVC_AUTH_SESSION_SECRET
✓ SVC_AUTH_TOKEN_ENCRYPTION_KEYS
✓ SVC_PROXY_SECRET
`

/** An application to check, for the tests of one file. */
export function useApplication() {
  let application: TestApplication
  beforeAll(async () => {
    application = await createApplication({
      'package.json': '{ "type": "module" }',
      'server.ts': server,
      'web/package.json': '{}',
      'web/next.config.ts': '',
    })
  })
  afterAll(() => application.remove())
  return {
    get application() {
      return application
    },
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { EnvironmentError, type EnvironmentSource } from '../env/env.ts'

const file = '.env.test'

/** Every server with sign-in needs it, and `startTestAuth` sets it. */
const signInSecret = 'SVC_AUTH_VERIFICATION_TOKEN_SECRET'

/** The variables of the application's tests. `.env` is not read: it may lead to a real database or to real mail. */
export function testVariables(): EnvironmentSource {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** Says where a test's variables go, in what a start has thrown. */
export function withPlaceForTests(thrown: unknown) {
  if (!(thrown instanceof EnvironmentError)) return thrown
  thrown.message += `\n${placeOf(thrown.problems)}`
  return thrown
}

function placeOf(problems: readonly string[]) {
  if (problems.includes(`${signInSecret} is required`)) {
    return 'This server has sign-in. Start it with startTestAuth({ definition }) of @svc/auth/testing, which sets its secret, a mailbox and a database.'
  }
  const names = problems.flatMap((problem) => /^[A-Z][A-Z\d_]+/.exec(problem) ?? [])
  const which = names.length > 0 ? [...new Set(names)].join(' and ') : 'what is missing'
  return `Tests do not read .env. Put ${which} into ${file}, in the folder where you run the tests, or into "env" of startTestServer or startTestAuth.`
}

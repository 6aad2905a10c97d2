import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readServerEnv, type ServerDefinition } from '@svc/core'
import { databaseUrl } from '@svc/core/database'
import type { EnvironmentSource } from '@svc/core/env'
import type { Application } from '../application/application.ts'
import { readDatabaseEnv } from '../database-env.ts'
import { givenEnvironment, isSet } from '../env.ts'
import { type Secret, secrets, webEnvironment } from '../environment/environment.ts'
import { paint } from '../terminal.ts'

type Check = (source: EnvironmentSource) => unknown

/** Secrets that are not generated, and are checked if they are set. */
const others = ['SVC_AUTH_SESSION_SECRET_PREVIOUS', 'SVC_AUTH_JWT_SECRET']

/**
 * Finds what prevents the API and the web app from starting in production: secrets first, then
 * everything else.
 */
export async function checkKeys({ definition, web }: Application) {
  const given = { ...givenEnvironment(), NODE_ENV: 'production' }
  const problems = [
    ...apiChecks(definition).flatMap((check) => problemsOf(check, given)),
    ...problemsOf(await webCheck(web), webEnvironment(given)),
    ...(web === null ? [] : addressProblems(given)),
  ]
  const asked = [
    ...secrets,
    ...others.map((name) => ({ name, without: '' })),
    ...(isWithoutFirstAccount(definition, given) ? [firstAccount] : []),
  ]
  const findings = asked.map((secret) => findingOn(secret, given, problems))
  const besides = new Set(problems.filter((problem) => !asked.some(isOf(problem))))
  console.log([...findings.flatMap(({ lines }) => lines), ...[...besides].map(wrong)].join('\n'))
  const isSecretWrong = findings.some(({ isWrong }) => isWrong)
  console.log(`\n${verdict({ isSecretWrong, isOtherWrong: besides.size > 0 })}`)
  return problems.length > 0 ? 1 : 0
}

const firstAccount = {
  name: 'SVC_AUTH_ADMIN_EMAIL',
  without: 'no superadmin, unless the database has one',
}

/** The other variables create accounts too, with the roles that they name. */
function isWithoutFirstAccount({ settings }: ServerDefinition, given: EnvironmentSource) {
  const hasSignIn = settings.lifecycles.some(({ name }) => name === 'svc-auth')
  return (
    hasSignIn &&
    !Object.entries(given).some(([name, text]) => text && name.startsWith('SVC_AUTH_ADMIN_'))
  )
}

function verdict({
  isSecretWrong,
  isOtherWrong,
}: Record<'isSecretWrong' | 'isOtherWrong', boolean>) {
  if (isSecretWrong)
    return 'Remove wrong secrets from .env, then run "npx @svc/cli keys --env" to add the missing ones.'
  if (isOtherWrong) return 'Every secret is right. Set the other variables yourself.'
  return 'Every variable that production requires is set.'
}

const isOf =
  (problem: string) =>
  ({ name }: { name: string }) =>
    problem.startsWith(`${name} `)

const wrong = (problem: string) => `${paint('red', '✗')} ${problem}`

function apiChecks(definition: ServerDefinition): Check[] {
  const lifecycles = definition.settings.lifecycles.map(
    (lifecycle): Check =>
      (source) =>
        lifecycle.validateEnvironment?.(source),
  )
  const database: Check = (source) => databaseUrl(definition, readDatabaseEnv(source))
  return [database, ...lifecycles, readServerEnv, ...definition.settings.env]
}

/**
 * Both have a default for one machine: in production, browsers would look for the API on their own
 * machine.
 */
function addressProblems({ SVC_API_URL, NEXT_PUBLIC_SVC_API_URL }: EnvironmentSource) {
  if (SVC_API_URL || NEXT_PUBLIC_SVC_API_URL) return []
  return [
    'SVC_API_URL is required: set it to the address where the web app reaches the API. Browsers use it too unless NEXT_PUBLIC_SVC_API_URL is set',
  ]
}

/** The check of the web app's own @svc/web; none if there is no web app, or one without it. */
async function webCheck(web: string | null): Promise<Check> {
  if (web === null) return () => undefined
  try {
    const file = createRequire(join(web, 'package.json')).resolve('@svc/web/proxy')
    return (await import(pathToFileURL(file).href)).readWebEnv
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return () => undefined
    throw error
  }
}

function problemsOf(check: Check, source: EnvironmentSource): readonly string[] {
  try {
    check(source)
    return []
  } catch (error) {
    // Recognised by its shape: the application may have another copy of @svc/core than this
    // command.
    const { problems } = error as { problems?: readonly string[] }
    if (problems) return problems
    throw error
  }
}

function findingOn(
  { name, without }: Pick<Secret, 'name' | 'without'>,
  given: EnvironmentSource,
  problems: readonly string[],
) {
  const own = problems.filter((problem) => isOf(problem)({ name }))
  if (own.length > 0) return { isWrong: true, lines: own.map(wrong) }
  if (isSet(name, given)) return { isWrong: false, lines: [`${paint('green', '✓')} ${name}`] }
  return { isWrong: false, lines: without ? [`- ${name} is not set: ${without}`] : [] }
}

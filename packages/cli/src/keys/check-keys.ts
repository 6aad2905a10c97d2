import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerDefinition } from '@svc/core'
import { defineEnv, type EnvironmentSource, proxySecrets } from '@svc/core/env'
import type { Application } from '../application/open-application.ts'
import { inheritedEnvironment } from '../env.ts'
import { webEnvironment } from '../run/environment.ts'
import { paint } from '../terminal.ts'
import { readEnvFile } from './env-file.ts'
import { type Secret, secrets } from './secrets.ts'

type Check = (source: EnvironmentSource) => unknown

/** Secrets that are not made, and are checked where they are set. */
const others = ['SVC_AUTH_SESSION_SECRET_PREVIOUS', 'SVC_AUTH_JWT_SECRET']

/** Asks what keeps the API and the web app from starting in production, and tells what it says of secrets. */
export async function checkKeys({ definition, web }: Application) {
  const given = { ...readEnvFile(), ...inheritedEnvironment(), NODE_ENV: 'production' }
  const problems = [
    ...apiChecks(definition).flatMap((check) => problemsOf(check, given)),
    ...problemsOf(await webCheck(web), webEnvironment(given)),
  ]
  const lines = [...secrets, ...others.map((name) => ({ name, without: '' }))].flatMap((secret) =>
    findingOn(secret, given, problems),
  )
  console.log(lines.join('\n'))
  const isWrong = lines.some((line) => line.includes('✗'))
  console.log(isWrong ? '\n"svc keys" makes secrets that are right.' : '\nEvery secret is right.')
  return isWrong ? 1 : 0
}

function apiChecks({ settings }: ServerDefinition): Check[] {
  const lifecycles = settings.lifecycles.map(
    (lifecycle): Check =>
      (source) =>
        lifecycle.validateEnvironment?.(source),
  )
  return [...lifecycles, defineEnv({ SVC_PROXY_SECRET: proxySecrets })]
}

/** The check of the web app's own @svc/web; none where there is no web app, or it is of something else. */
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
    // By its shape: the application may have another copy of @svc/core than this command.
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
  const own = problems.filter((problem) => problem.startsWith(`${name} `))
  if (own.length > 0) return own.map((problem) => `${paint('red', '✗')} ${problem}`)
  if (given[name]) return [`${paint('green', '✓')} ${name}`]
  return without ? [`- ${name} is not set: ${without}`] : []
}

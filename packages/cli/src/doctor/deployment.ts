import { defineEnv, optional, text, webAddress } from '@svc/core/env'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { builtinProviders } from './builtin-providers.ts'

interface Address {
  url: URL
  /** The flag or the variable that it comes from. */
  from: string
}

/** Where an application runs, and the variables here that describe it. */
export interface Deployment {
  app: Address
  api: Address
  variables: ReturnType<typeof readVariables>
  /** The variables of providers that are set here. The doctor doesn't need their values. */
  providerVariables: ReadonlySet<string>
}

const readVariables = defineEnv({
  NEXT_PUBLIC_SVC_APP_URL: webAddress,
  SVC_APP_URL: webAddress,
  NEXT_PUBLIC_SVC_API_URL: webAddress,
  SVC_API_URL: webAddress,
  SVC_AUTH_OAUTH_SUCCESS_URL: text('/auth/callback'),
  SVC_AUTH_OAUTH_ERROR_URL: text('/auth/error?error={error}'),
})

const readProviderVariables = defineEnv(
  Object.fromEntries(
    [...builtinProviders.values()].flatMap(({ web }) => web).map((name) => [name, optional]),
  ),
)

/**
 * Flags win over variables, variables for browsers over those for servers, and all of them over the
 * defaults.
 */
export function readDeployment(flags: Flags): Deployment {
  const variables = readVariables()
  const app = firstOf([
    ['--app', flags.app],
    ['NEXT_PUBLIC_SVC_APP_URL', variables.NEXT_PUBLIC_SVC_APP_URL],
    ['SVC_APP_URL', variables.SVC_APP_URL],
    ['the default', 'http://localhost:3790'],
  ])
  const api = firstOf([
    ['--api', flags.api],
    ['NEXT_PUBLIC_SVC_API_URL', variables.NEXT_PUBLIC_SVC_API_URL],
    ['SVC_API_URL', variables.SVC_API_URL],
    ['the default', 'http://localhost:8790'],
  ])
  const given = Object.entries(readProviderVariables()).filter(([, value]) => value !== undefined)
  const providerVariables = new Set(given.map(([name]) => name))
  return { app, api, variables, providerVariables }
}

function firstOf(candidates: [from: string, address: string | undefined][]): Address {
  const [from, address = ''] = candidates.find(([, each]) => each !== undefined) ?? ['']
  const url = URL.parse(address)
  if (!url || url.username || url.password) {
    throw new CommandFailure(
      `${from} must be an address such as https://app.example.com, without a user or a password.`,
    )
  }
  return { url, from }
}

/** An address of the web app, which is mounted at the root. */
export function atApp({ app }: Deployment, path: string) {
  return new URL(path, app.url.origin)
}

/** An address of the API, which may be mounted below a path. */
export function atApi({ api }: Deployment, path: string) {
  return new URL(`${api.url.origin}${api.url.pathname.replace(/\/$/, '')}${path}`)
}

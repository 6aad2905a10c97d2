import { type Answer, memberOf } from '../ask.ts'
import { builtinProviders } from '../builtin-providers.ts'
import type { Deployment } from '../deployment.ts'
import { doubtful, type Finding, right, wrong } from '../finding.ts'

export interface Provider {
  id: string
  web: boolean
  native: boolean
}

/** The answer of the operation `providers`; null if something else has answered. */
export function providersIn({ status, json }: Answer): Provider[] | null {
  const list = memberOf(json, 'providers')
  return status === 200 && Array.isArray(list) && list.every(isProvider) ? list : null
}

function isProvider(each: unknown): each is Provider {
  return (
    typeof memberOf(each, 'id') === 'string' &&
    typeof memberOf(each, 'web') === 'boolean' &&
    typeof memberOf(each, 'native') === 'boolean'
  )
}

/** Which of them can be used in browsers, and which were meant to be. */
export function* turnedOn(deployment: Deployment, providers: Provider[]): Generator<Finding> {
  const ids = providers.filter(({ web }) => web).map(({ id }) => id)
  yield ids.length > 0 ? right(`On for the web: ${ids.join(', ')}.`) : noneOn(providers)
  for (const [id, { web }] of builtinProviders) {
    const set = web.filter((name) => deployment.providerVariables.has(name))
    if (set.length > 0 && !ids.includes(id)) yield halfOn(id, { web, set })
  }
}

function noneOn(providers: Provider[]) {
  const names = providers.map(({ id }) => id).join(', ')
  return wrong('No provider is on for the web.', {
    seen: names ? `The API lists ${names}, for apps only.` : 'The API lists no provider.',
    why: 'The API turns a provider on when all of its variables are set.',
    fix: [
      'Set SVC_AUTH_TOKEN_ENCRYPTION_KEYS and the variables of one provider for the API, and restart it:',
      ...[...builtinProviders.values()].map(({ name, web }) => `  ${name}: ${web.join(', ')}`),
    ],
  })
}

function halfOn(id: string, { web, set }: { web: readonly string[]; set: string[] }) {
  return doubtful(`${id}: is not on for the web, but some of its variables are set.`, {
    seen: `${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set here, and the API does not list ${id}.`,
    why: 'The variables are set for this command, but the API may run without them.',
    fix: [`Set ${web.join(' and ')} for the API, and restart it.`],
  })
}

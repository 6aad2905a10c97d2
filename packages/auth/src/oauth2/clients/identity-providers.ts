import { type Clock, EnvironmentError } from '@svc/core'
import { isProviderAddress } from '../../providers/providers.ts'
import type {
  AuthorizationServer,
  AuthorizationServerOptions,
  IdentityProvider,
} from '../authorization-server.ts'
import {
  assertionAlgorithms,
  createKeyFinder,
  type DeclaredKeys,
  documentAddress,
  type KeyFinder,
} from './client-keys.ts'
import { keysOf } from './resource-servers.ts'

/** An identity provider that the application trusts, with its keys. */
export interface TrustedProvider extends Omit<IdentityProvider, 'keys' | 'clients'> {
  readonly clients: ReadonlySet<string>
  readonly declared: DeclaredKeys
}

/** The identity providers that may give clients access to the accounts of their users. */
export interface IdentityProviders extends KeyFinder {
  readonly isThereOne: boolean
  /** Throws if one speaks for the accounts of a provider with another issuer. */
  checkAccounts(issuerOf: (provider: string) => string | undefined): void
  /** Null if the application does not trust the issuer. */
  trusted(issuer: string): TrustedProvider | null
  /** The ids of all clients that one of them may give access to. */
  readonly clientIds: ReadonlySet<string>
}

export function createIdentityProviders(
  clock: Clock,
  options: AuthorizationServerOptions | undefined,
  server: AuthorizationServer | null,
): IdentityProviders {
  const trusted = readIdentityProviders(options, server)
  // The operator has named the addresses, which may be inside the network.
  const finder = createKeyFinder(clock, (uri) => ({ url: new URL(uri), isNamed: true }))
  return {
    isThereOne: trusted.size > 0,
    checkAccounts: (issuerOf) => refuseOtherAccounts(trusted, issuerOf),
    trusted: (issuer) => trusted.get(issuer) ?? null,
    clientIds: new Set([...trusted.values()].flatMap(({ clients }) => [...clients])),
    ...finder,
  }
}

/** A subject is unique within its issuer only: another issuer could mean any user with it. */
function refuseOtherAccounts(
  trusted: ReadonlyMap<string, TrustedProvider>,
  issuerOf: (provider: string) => string | undefined,
) {
  const strange = [...trusted].filter(([issuer, { accounts }]) => issuerOf(accounts) !== issuer)
  if (strange.length === 0) return
  throw new EnvironmentError(
    strange.map(
      ([issuer, { accounts }]) =>
        `authorizationServer.identityProviders["${issuer}"] has the accounts of "${accounts}", which is no provider with this issuer that users sign in with: name one of createOidcProvider({ issuer: '${issuer}', … })`,
    ),
  )
}

/** Throws if one can't be trusted as it is configured. */
export function readIdentityProviders(
  options: AuthorizationServerOptions | undefined,
  server: AuthorizationServer | null,
): ReadonlyMap<string, TrustedProvider> {
  if (!server) return new Map()
  const given = Object.entries(options?.identityProviders ?? {})
  const configured = new Set(Object.keys(options?.openid?.clients ?? {}))
  const found = given.map(([issuer, { keys, ...provider }]) => {
    const declared = keysOf(keys)
    const problems = [
      ...problemsOfIssuer(server, issuer),
      !declared &&
        `has neither a jwksUri that is https nor a jwks with a public key for ${assertionAlgorithms.join(', ')}`,
      ...problemsOf(server, provider, configured),
    ].filter((problem) => problem !== false)
    return { issuer, provider, declared, problems }
  })
  const told = found.flatMap(({ issuer, problems }) =>
    problems.map((problem) => `authorizationServer.identityProviders["${issuer}"] ${problem}`),
  )
  if (told.length > 0) throw new EnvironmentError(told)
  return new Map(
    found.flatMap(({ issuer, provider, declared }) =>
      declared ? [[issuer, { ...provider, declared, clients: new Set(provider.clients) }]] : [],
    ),
  )
}

function problemsOfIssuer(server: AuthorizationServer, issuer: string) {
  const isIssuer = isProviderAddress(issuer) && !issuer.includes('?')
  return [
    !isIssuer && 'is no issuer: name it as its metadata does, such as https://idp.example.com',
    // The draft, section 9.3: it would broaden what it has given itself.
    isIssuer &&
      new URL(issuer).href === new URL(server.issuer).href &&
      'is this server, which can give access to its own accounts without it',
  ]
}

// The id of a client that has registered, which this server has drawn.
const registered = /^[\w-]{43}$/

function problemsOf(
  server: AuthorizationServer,
  { clients, resources, scopes }: Omit<IdentityProvider, 'keys'>,
  configured: ReadonlySet<string>,
) {
  const unusable = clients.filter(
    (id) => configured.has(id) || !(registered.test(id) || documentAddress(server, id)),
  )
  const strange = resources?.filter((each) => !server.resources.includes(each)) ?? []
  return [
    clients.length === 0 && 'has no clients that it may give access to',
    ...unusable.map(
      (id) =>
        `has the client "${id}", which is neither registered here nor the address of a document that clientDocuments allows`,
    ),
    resources?.length === 0 && 'has resources, and names none. Leave them out to allow all',
    ...strange.map((each) => `names "${each}", which is not in resources`),
    scopes?.length === 0 && 'has scopes, and names none. Leave them out to allow all',
    ...(scopes ?? []).map(
      (each) => !server.scopes.has(each) && `names the scope "${each}", which is none`,
    ),
  ]
}

import { EnvironmentError, type EnvironmentSource, NotFoundError } from '@svc/core'
import { readIssuerUrl } from '../app-url.ts'
import type { JwtAccessTokens } from './access-tokens/access-tokens.ts'
import type { AgentBudget } from './budgets.ts'

/** How an application configures its authorization server. */
export interface AuthorizationServerOptions {
  /**
   * The scopes, each with the words that the user is shown. A scope that is the name of a
   * permission gives a token that permission, if the account has it.
   */
  scopes: Record<string, string>
  /** The scopes of a client that names none; all of them unless set. */
  defaultScopes?: string[]
  /**
   * What tokens give access to: paths of this API such as `/mcp`, or addresses of other servers.
   * The first is for clients that name none. Unless set, it is this API as a whole.
   */
  resources?: string[]
  /**
   * Who may register a client: no one (`off`), signed-in users (the default), or everyone (`open`).
   */
  registration?: 'off' | 'signed-in' | 'open'
  /**
   * Custom schemes of apps that are allowed in redirect URIs although they belong to no domain.
   * Unless set, those of editors that run agents. One like `com.example.app` needs no entry.
   */
  appSchemes?: string[]
  /**
   * Clients whose id is the address of a document about them: from any host (the default), or only
   * from these.
   */
  clientDocuments?: 'off' | 'anywhere' | { hosts: string[] }
  /**
   * Servers that ask about tokens for their resource because they don't share the database (RFC
   * 7662), by the resource: an address of `resources`. None unless set.
   */
  resourceServers?: Readonly<Record<string, ResourceServerKeys>>
  /**
   * Resources whose access tokens are JWTs (RFC 9068): addresses of `resources`. It needs `SVC_AUTH_OPENID_KEYS`. None
   * unless set.
   */
  jwtAccessTokens?: Readonly<Record<string, JwtAccessTokens>>
  /**
   * Clients that may exchange a token that they got for one of another resource (RFC 8693), by the address of their
   * document. None unless set.
   */
  exchange?: Readonly<Record<string, ExchangeClient>>
  /**
   * Identity providers of companies that decide which clients act for their users (MCP's enterprise-managed
   * authorization), by their issuers. None unless set.
   */
  identityProviders?: Readonly<Record<string, IdentityProvider>>
  /** How much each agent of an account may do; unlimited unless set. */
  budget?: AgentBudget
  /**
   * Whether a program without a browser can ask for access by a code that its user types on a page (RFC 8628). Off
   * unless set.
   */
  deviceGrant?: boolean
  /**
   * Other origins whose pages may be agents, such as `https://inspector.example.com`; none unless
   * set.
   */
  origins?: 'any' | string[]
  /** Your other applications can sign users in with this server (OpenID Connect). Off unless set. */
  openid?: OpenIdOptions
}

/** Sign-in by OpenID Connect. It needs `SVC_AUTH_OPENID_KEYS`. */
export interface OpenIdOptions {
  /** The applications that sign users in here, by their client ids. */
  clients?: Readonly<Record<string, OpenIdClient>>
}

/** An application that signs users in here. Without a secret and keys, it has to bind its tokens to a key (DPoP). */
export interface OpenIdClient {
  /** The name that users know. */
  readonly name: string
  /** Where users are sent back to. */
  readonly redirectUris: readonly string[]
  /** The SHA-256 of its secret in lowercase hex. The secret has at least 256 random bits. */
  readonly secretHash?: string
  /** In place of a secret: the public keys that it signs with (`private_key_jwt`). */
  readonly keys?: ResourceServerKeys
  /**
   * For an application of your own: users are not asked whether they allow it, unless it has no secret and no keys and
   * the redirect URI is not https.
   */
  readonly trusted?: boolean
  /** The algorithm of its id tokens. That of the first key unless set. */
  readonly idTokenAlgorithm?: 'ES256' | 'RS256'
  /** Where it is told that a user has signed out here (back-channel logout). */
  readonly backchannelLogoutUri?: string
  /**
   * Where it may send users whom it has asked to sign out here. Once a client has one, applications can ask for that
   * (RP-initiated logout).
   */
  readonly postLogoutRedirectUris?: readonly string[]
}

/** The public keys that a resource server or an application signs its requests with: a set (RFC 7517), or its address. */
export type ResourceServerKeys = { jwks: { keys: object[] } } | { jwksUri: string }

/** What a client may exchange. */
export interface ExchangeClient {
  /** The resources that it is the server of. It may exchange tokens for these, and no others. */
  readonly serves: readonly string[]
  /** The resources that it may get tokens for. The first is for a request that names none. */
  readonly resources: readonly string[]
  /** The scopes that these tokens may have, if the exchanged one has them; all of that one unless set. */
  readonly scopes?: readonly string[]
}

/** What an identity provider may decide. */
export interface IdentityProvider {
  /** The public keys that it signs with. */
  readonly keys: ResourceServerKeys
  /**
   * The id of the provider that these users sign in with. It has the same issuer: a subject is unique within its issuer
   * only.
   */
  readonly accounts: string
  /** The ids of the clients that it may give access to. */
  readonly clients: readonly string[]
  /** The resources that it may give access to. The first is for a request that names none; all unless set. */
  readonly resources?: readonly string[]
  /** The scopes that it may give; all unless set. */
  readonly scopes?: readonly string[]
}

export interface AuthorizationServer {
  /** The issuer, which is also where its endpoints are. */
  readonly issuer: string
  readonly scopes: ReadonlyMap<string, string>
  readonly defaultScopes: readonly string[]
  readonly resources: readonly [string, ...string[]]
  readonly registration: 'off' | 'signed-in' | 'open'
  readonly appSchemes: readonly string[]
  readonly clientDocuments: 'off' | 'anywhere' | { readonly hosts: readonly string[] }
  readonly deviceGrant: boolean
  readonly origins: 'any' | readonly string[]
}

const editors = ['cursor', 'vscode', 'vscode-insiders']

/** Null if there is none: then each of its routes answers 404. */
export function readAuthorizationServer(
  options: AuthorizationServerOptions | undefined,
  source: EnvironmentSource,
): AuthorizationServer | null {
  const issuer = readIssuerUrl(source)
  if (!options) return null
  const { scopes, resources = ['/'], defaultScopes = Object.keys(scopes) } = options
  const { appSchemes = editors, registration = 'signed-in', origins = [] } = options
  const given = { scopes, resources, defaultScopes, appSchemes, registration, origins }
  const problems = problemsOf(given)
  if (problems.length > 0) throw new EnvironmentError(problems)
  const [first = '/', ...others] = resources
  return {
    issuer,
    scopes: new Map(Object.entries(scopes)),
    defaultScopes,
    resources: [first, ...others],
    registration,
    appSchemes,
    clientDocuments: options.clientDocuments ?? 'anywhere',
    deviceGrant: options.deviceGrant ?? false,
    origins,
  }
}

// RFC 6749, section 3.3.
const scopeName = /^[!#-[\]-~]{1,128}$/

function problemsOf({
  scopes,
  resources,
  defaultScopes,
  appSchemes,
  registration,
  origins,
}: Required<
  Pick<
    AuthorizationServerOptions,
    'scopes' | 'resources' | 'defaultScopes' | 'appSchemes' | 'registration' | 'origins'
  >
>) {
  const names = Object.keys(scopes)
  return [
    names.length === 0 && 'authorizationServer needs at least one scope',
    ...names.map(
      (name) =>
        // OpenID Connect has its own meaning of this one.
        (!scopeName.test(name) || name === 'openid') &&
        `authorizationServer cannot have the scope "${name}"`,
    ),
    ...defaultScopes.map(
      (name) =>
        !Object.hasOwn(scopes, name) &&
        `authorizationServer.defaultScopes names "${name}", which is no scope of it`,
    ),
    ...appSchemes.map(
      (scheme) =>
        !isAppScheme(scheme) &&
        `authorizationServer.appSchemes has "${scheme}", which is no scheme of an app, such as cursor`,
    ),
    !['off', 'signed-in', 'open'].includes(registration) &&
      'authorizationServer.registration is off, signed-in or open',
    ...(origins === 'any' ? [] : origins).map(
      (origin) =>
        !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/.test(origin) &&
        `authorizationServer.origins has "${origin}", which is no origin, such as https://inspector.example.com`,
    ),
    resources.length === 0 && 'authorizationServer.resources must name one',
    ...resources.map(
      (resource) =>
        !isResource(resource) &&
        `authorizationServer.resources has "${resource}", which is neither a path nor an address without a fragment`,
    ),
  ].filter((problem) => problem !== false)
}

// A redirect with a code must never go to a scheme that a browser runs, shows or opens as a page.
const ofBrowsers =
  /^(?:https?|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|view-source|mailto|tel|sms|intent|chrome|edge|moz-extension|chrome-extension|resource|jar|content|urn|device-code)$/

function isAppScheme(scheme: string) {
  return /^[a-z][a-z\d+-]{1,63}$/.test(scheme) && !ofBrowsers.test(scheme)
}

function isResource(resource: string) {
  const url = URL.parse(resource, 'http://api.invalid')
  const isPath = url?.href === `http://api.invalid${resource}` && url.search === ''
  return isPath || (URL.parse(resource)?.hash === '' && /^https?:/.test(resource))
}

/** The application decides whether there is one. */
export interface Configured {
  readonly authorizationServer: AuthorizationServer | null
}

/**
 * The authorization server, if the application has one. Otherwise it throws the usual 404.
 */
export function authorizationServerOf({ authorizationServer }: Configured): AuthorizationServer {
  if (!authorizationServer) throw new NotFoundError({ resource: 'Route' })
  return authorizationServer
}

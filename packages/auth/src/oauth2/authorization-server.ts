import { EnvironmentError, type EnvironmentSource, HttpError, NotFoundError } from '@svc/core'
import { readIssuerUrl } from '../app-url.ts'
import { OAuth2Error, type OAuth2ErrorCode } from './errors.ts'

/** What an application says of its authorization server. */
export interface AuthorizationServerOptions {
  /**
   * What a client may ask for, each with the words that people are shown. One that is the name of a permission lets a
   * token do what that permission is for, as far as the account holds it.
   */
  scopes: Record<string, string>
  /** What a client gets that names no scope; all of them unless given. */
  defaultScopes?: string[]
  /**
   * What tokens open: paths of this API such as `/mcp`, or addresses of others. The first is for clients that name
   * none. Unless given, it is this API as a whole.
   */
  resources?: string[]
  /**
   * Who may register a client: no one (`off`), signed-in users (the default), or everyone (`open`).
   */
  registration?: 'off' | 'signed-in' | 'open'
  /**
   * Schemes of apps that an answer may be sent to although they belong to no domain. Unless given,
   * those of editors that agents run in. One like `com.example.app` needs no entry.
   */
  appSchemes?: string[]
  /** Clients whose id is the address of a document about them: from anywhere (the default), or these hosts alone. */
  clientDocuments?: 'off' | 'anywhere' | { hosts: string[] }
  /** Other origins whose pages may be agents, such as `https://inspector.example.com`; none unless given. */
  origins?: 'any' | string[]
}

export interface AuthorizationServer {
  /** What it calls itself, and where its endpoints are. */
  readonly issuer: string
  readonly scopes: ReadonlyMap<string, string>
  readonly defaultScopes: readonly string[]
  readonly resources: readonly [string, ...string[]]
  readonly registration: 'off' | 'signed-in' | 'open'
  readonly appSchemes: readonly string[]
  readonly clientDocuments: 'off' | 'anywhere' | { readonly hosts: readonly string[] }
  readonly origins: 'any' | readonly string[]
}

const editors = ['cursor', 'vscode', 'vscode-insiders']

/** Null where there is none: then every route of it answers 404. */
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
      (name) => !scopeName.test(name) && `authorizationServer cannot have the scope "${name}"`,
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

// What a browser runs, shows or takes for a page must never be where it is sent with a code.
const ofBrowsers =
  /^(?:https?|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|view-source|mailto|tel|sms|intent|chrome|edge|moz-extension|chrome-extension|resource|jar|content|urn)$/

function isAppScheme(scheme: string) {
  return /^[a-z][a-z\d+-]{1,63}$/.test(scheme) && !ofBrowsers.test(scheme)
}

function isResource(resource: string) {
  const url = URL.parse(resource, 'http://api.invalid')
  const isPath = url?.href === `http://api.invalid${resource}` && url.search === ''
  return isPath || (URL.parse(resource)?.hash === '' && /^https?:/.test(resource))
}

/** Whether there is one is the application's choice. */
export interface Configured {
  readonly authorizationServer: AuthorizationServer | null
}

/** The authorization server, where the application has one. Without it there is nothing here, as anywhere else. */
export function authorizationServerOf({ authorizationServer }: Configured): AuthorizationServer {
  if (!authorizationServer) throw new NotFoundError({ resource: 'Route' })
  return authorizationServer
}

const codes = new Map<number, OAuth2ErrorCode>([
  [429, 'slow_down'],
  [503, 'temporarily_unavailable'],
])

/** Clients of the protocol read `error`, a word of its list, and nothing of ours: a refusal of the framework is told so. */
export function inOAuthWords(error: unknown) {
  if (!(error instanceof HttpError) || error instanceof OAuth2Error) return error
  // A signature that does not hold is no word of OAuth, and neither is what is not there.
  if ([401, 403, 404].includes(error.status)) return error
  const retryAfter = 'retryAfter' in error ? (error.retryAfter as number) : undefined
  return new OAuth2Error({
    error: codes.get(error.status) ?? 'invalid_request',
    message: error.message,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

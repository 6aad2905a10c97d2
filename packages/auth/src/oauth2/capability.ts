import { EnvironmentError, type EnvironmentSource } from '@svc/core'
import { authOf } from '../auth.ts'
import type { LockedAccountReader, OwnerReader } from '../caller/caller.ts'
import { defineCapability } from '../capability/capability.ts'
import { readJwtResources } from './access-tokens/access-tokens.ts'
import { oauth2Acts } from './acts.ts'
import { answer, describe, redirect } from './authorization-endpoint.ts'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  readAuthorizationServer,
} from './authorization-server.ts'
import { checkBudget, createBudgets } from './budgets.ts'
import {
  type AgentNeeds,
  createClientKeys,
  createIdentityProviders,
  createResourceServers,
  forgetClients,
  oauth2Clients,
  readConfiguredClients,
  readExchangeClients,
  readIdentityProviders,
  readResourceServers,
  registerClient,
} from './clients/clients.ts'
import { oauth2Contract } from './contract.ts'
import { crossOriginOf } from './cross-origin.ts'
import {
  authorizeDevice,
  decideDeviceRequest,
  describeDeviceRequest,
  exportDeviceRequests,
  forgetDeviceRequests,
  forgetDeviceRequestsOf,
  oauth2DeviceRequests,
} from './device-grant/device-grant.ts'
import {
  describeGrant,
  endGrantsOf,
  endMadeGrants,
  exportGrants,
  forgetGrants,
  forgetGrantsOf,
  handOnGrants,
  keptSuccessors,
  listGrants,
  madeGrantsOf,
  oauth2Grants,
  oauth2Tokens,
  revokeGrant,
} from './grants/grants.ts'
import { keyFor, readSigningKeys, type SigningKeys } from './id-tokens/id-tokens.ts'
import { introspect } from './introspect.ts'
import { inOAuthWords } from './oauth-words.ts'
import {
  endDeadSessions,
  endSignInsOf,
  exportSessions,
  exportSignIns,
  forgetSessions,
  forgetSignIns,
  forgetSignInsOf,
  handOnSessions,
  handOnSignIns,
  openidLogout,
  openidSessions,
  openidSessionsEnd,
  openidSignIns,
} from './openid/openid.ts'
import { revoke, tokensFor } from './tokens-for.ts'

/** Null if nothing needs them. Throws if they are needed, and there are none. */
const readKeys = (options: AuthorizationServerOptions | undefined, source: EnvironmentSource) =>
  options?.openid || Object.keys(options?.jwtAccessTokens ?? {}).length > 0
    ? readSigningKeys(source)
    : null

/** Null unless other applications can sign users in. Throws if there is not the key of a client. */
function readOpenid(
  options: AuthorizationServerOptions | undefined,
  keys: SigningKeys | null,
  server: AuthorizationServer | null,
) {
  if (!options?.openid || !keys) return null
  const clients = readConfiguredClients(options, server)
  const problems = [...clients].flatMap(([id, { idTokenAlgorithm }]) =>
    keyFor(keys, idTokenAlgorithm)
      ? []
      : [
          `authorizationServer.openid.clients["${id}"] has the idTokenAlgorithm ${idTokenAlgorithm}, and no key of SVC_AUTH_OPENID_KEYS has it`,
        ],
  )
  if (problems.length > 0) throw new EnvironmentError(problems)
  return { clients, keys }
}

/** What is given up: otherwise an operator who revokes something learns it then. */
function tellOfJwts({ jwtResources, log }: AgentNeeds<'jwtResources' | 'log'>) {
  for (const [resource, { lifetimeSeconds }] of jwtResources) {
    log.warn(
      { resource, lifetimeSeconds },
      'jwtAccessTokens: this resource checks tokens without asking. A token that is revoked here, also by a suspension or a lost permission, works there until it expires, and no budget counts its calls',
    )
  }
}

const deviceOperations: ReadonlySet<string> = new Set([
  'oauth2DeviceAuthorization',
  'getOAuth2DeviceRequest',
  'decideOAuth2DeviceRequest',
])

/**
 * Lets agents ask for access in a user's name. Without options, each of its operations answers 404.
 */
export const oauth2Capability = (options?: AuthorizationServerOptions) =>
  defineCapability(oauth2Contract, {
    audit: oauth2Acts,
    tables: {
      oauth2Clients,
      oauth2Grants,
      oauth2Tokens,
      oauth2DeviceRequests,
      openidSignIns,
      openidSessions,
    },
    // Without applications that sign users in, no end of a key writes a job.
    jobs: options?.openid ? { openidLogout, openidSessionsEnd } : {},
    crossOrigin: crossOriginOf(options),
    check(source) {
      const server = readAuthorizationServer(options, source)
      readExchangeClients(options, server)
      readIdentityProviders(options, server)
      const keys = readKeys(options, source)
      readOpenid(options, keys, server)
      readJwtResources(options ?? {}, keys)
      readResourceServers(options)
      checkBudget(options?.budget)
    },
    open: ({ service, server, source }) => {
      const authorizationServer = readAuthorizationServer(options, source)
      const signingKeys = readKeys(options, source)
      const windowMillis = service.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000
      return {
        authorizationServer,
        clientKeys: createClientKeys(service.clock, authorizationServer),
        resourceServers: createResourceServers(service.clock, options),
        exchangeClients: readExchangeClients(options, authorizationServer),
        identityProviders: createIdentityProviders(service.clock, options, authorizationServer),
        budgets: createBudgets(service, options?.budget),
        openid: readOpenid(options, signingKeys, authorizationServer),
        signingKeys,
        jwtResources: readJwtResources(options ?? {}, signingKeys),
        successors: keptSuccessors({ ...service, windowMillis }),
        callers: (keyId: string, tenant?: string) => authOf(server).callers(keyId, tenant),
        accounts: (userId: string, tenant?: string) => authOf(server).accounts(userId, tenant),
        lockedAccounts: (...given: Parameters<LockedAccountReader>) =>
          authOf(server).lockedAccounts(...given),
        owners: <Row extends object>(owned: Parameters<OwnerReader>[0]) =>
          authOf(server).owners<Row>(owned),
      }
    },
    async start({ successors, jwtResources, identityProviders, parts, log }) {
      // Only now: the providers of sign-in are known once all capabilities are open.
      identityProviders.checkAccounts((provider) => parts.issuerOf(provider))
      tellOfJwts({ jwtResources, log })
      // Deletes what a server that was shut down has left.
      await successors.clear()
    },
    close: ({ successors }) => successors.close(),
    // If registration is off the route doesn't exist: neither for a signed request, nor for a body
    // of any kind. The same holds for questions about tokens, if there is no server to ask them.
    isThere({ authorizationServer, resourceServers }, operation) {
      if (operation === 'registerOAuth2Client') {
        return (authorizationServer?.registration ?? 'off') !== 'off'
      }
      if (operation === 'oauth2Introspect') return resourceServers.isThereOne
      if (deviceOperations.has(operation)) return authorizationServer?.deviceGrant ?? false
      return authorizationServer !== null
    },
    reword: inOAuthWords,
    handlers: {
      getOAuth2Authorize: async ({ auth, caller, query: fields, origin, c }) => {
        const asked = { raw: c.raw, fields, origin }
        if (caller) return describe(auth, { ...asked, caller })
        // A redirect has no body: the declared response is for callers who sign.
        return c.json(null as never, 302, { location: await redirect(auth, asked) })
      },
      createOAuth2AuthorizationCode: ({ auth, caller, body: fields, origin, c }) =>
        answer(auth, { caller, fields, raw: c.raw, origin }),
      oauth2DeviceAuthorization: ({ auth, form, c }) => authorizeDevice(auth, { raw: c.raw, form }),
      getOAuth2DeviceRequest: ({ auth, caller, body, origin }) =>
        describeDeviceRequest(auth, { caller, origin, ...body }),
      decideOAuth2DeviceRequest: async ({ auth, caller, body, origin, c }) => {
        await decideDeviceRequest(auth, { caller, origin, ...body })
        return c.noContent()
      },
      listOAuth2Grants: ({ auth, caller }) => listGrants(auth, caller),
      getOAuth2Grant: ({ auth, caller, params, c }) =>
        describeGrant(auth, { caller, ...params, server: c.raw.server }),
      revokeOAuth2Grant: ({ auth, caller, params, origin }) =>
        revokeGrant(auth, { caller, ...params, origin }),
      oauth2Token: ({ auth, form, origin, c }) => tokensFor(auth, { raw: c.raw, form, origin }),
      oauth2Revoke: ({ auth, form, origin, c }) => revoke(auth, { raw: c.raw, form, origin }),
      oauth2Introspect: ({ auth, form, c }) => introspect(auth, { raw: c.raw, form }),
      registerOAuth2Client: async ({ auth, caller, body, origin, c }) =>
        c.created(await registerClient(auth, { caller, metadata: body, origin })),
    },
    account: {
      export: {
        grants: (db, { userId }) => exportGrants(db, userId),
        agentRequests: (db, { userId }) => exportDeviceRequests(db, userId),
        signIns: (db, { userId }) => exportSignIns(db, userId),
        sessionsElsewhere: (db, { userId }) => exportSessions(db, userId),
      },
      async sweep(db, now, { successors, openid, identityProviders }) {
        // Before clients, which are kept while they have one of these.
        await forgetDeviceRequests(db, now)
        await forgetGrants(db, now)
        await forgetSignIns(db, now)
        if (openid) await endDeadSessions(db)
        await forgetSessions(db, now)
        await successors.clear()
        await forgetClients(db, now, [...identityProviders.clientIds])
      },
      async forget(tx, { userId }) {
        await forgetDeviceRequestsOf(tx, userId)
        await forgetSignInsOf(tx, userId)
        await forgetGrantsOf(tx, userId)
      },
      async endEveryone(tx, ending) {
        await endSignInsOf(tx, ending.userIds)
        return { agents: await endGrantsOf(tx, ending) }
      },
      made: {
        find: madeGrantsOf,
        async handOn(tx, succession) {
          await handOnGrants(tx, succession)
          await handOnSignIns(tx, succession)
          await handOnSessions(tx, succession)
        },
        end: endMadeGrants,
      },
    },
  })

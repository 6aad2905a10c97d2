import { authOf } from '../auth.ts'
import type { OwnerReader } from '../caller/caller.ts'
import { defineCapability } from '../capability/capability.ts'
import { oauth2Acts } from './acts.ts'
import {
  type AuthorizationServerOptions,
  inOAuthWords,
  readAuthorizationServer,
} from './authorization-server.ts'
import { checkBudget, createBudgets } from './budgets.ts'
import {
  createClientKeys,
  createResourceServers,
  forgetClients,
  oauth2Clients,
  readExchangeClients,
  readResourceServers,
  registerClient,
} from './clients/clients.ts'
import { oauth2Contract } from './contract.ts'
import { crossOriginOf } from './cross-origin.ts'
import {
  authorizeDevice,
  decideDeviceRequest,
  describeDeviceRequest,
  forgetDeviceRequests,
  forgetDeviceRequestsOf,
  oauth2DeviceRequests,
} from './device-grant/device-grant.ts'
import {
  decide,
  describeGrant,
  describeRequest,
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
  passOn,
  revokeGrant,
  revokeToken,
} from './grants/grants.ts'
import { introspect } from './introspect.ts'
import { tokensFor } from './tokens-for.ts'

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
    tables: { oauth2Clients, oauth2Grants, oauth2Tokens, oauth2DeviceRequests },
    crossOrigin: crossOriginOf(options),
    check(source) {
      readExchangeClients(options, readAuthorizationServer(options, source))
      readResourceServers(options)
      checkBudget(options?.budget)
    },
    open: ({ service, server, source }) => {
      const authorizationServer = readAuthorizationServer(options, source)
      const windowMillis = service.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000
      return {
        authorizationServer,
        clientKeys: createClientKeys(service.clock, authorizationServer),
        resourceServers: createResourceServers(service.clock, options),
        exchangeClients: readExchangeClients(options, authorizationServer),
        budgets: createBudgets(service, options?.budget),
        successors: keptSuccessors({ ...service, windowMillis }),
        callers: (keyId: string, tenant?: string) => authOf(server).callers(keyId, tenant),
        accounts: (userId: string, tenant?: string) => authOf(server).accounts(userId, tenant),
        owners: <Row extends object>(owned: Parameters<OwnerReader>[0]) =>
          authOf(server).owners<Row>(owned),
      }
    },
    // Deletes what a server that was shut down has left.
    start: ({ successors }) => successors.clear(),
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
        if (caller) return describeRequest(auth, { ...asked, caller })
        // A redirect has no body: the declared response is for callers who sign.
        return c.json(null as never, 302, { location: await passOn(auth, asked) })
      },
      createOAuth2AuthorizationCode: ({ auth, caller, body: fields, origin, c }) =>
        decide(auth, { caller, fields, raw: c.raw, origin }),
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
      oauth2Revoke: ({ auth, form, origin, c }) => revokeToken(auth, { raw: c.raw, form, origin }),
      oauth2Introspect: ({ auth, form, c }) => introspect(auth, { raw: c.raw, form }),
      registerOAuth2Client: async ({ auth, caller, body, origin, c }) =>
        c.created(await registerClient(auth, { caller, metadata: body, origin })),
    },
    account: {
      export: { grants: (db, { userId }) => exportGrants(db, userId) },
      async sweep(db, now, { successors }) {
        // Before clients, which are kept while they have one of these.
        await forgetDeviceRequests(db, now)
        await forgetGrants(db, now)
        await successors.clear()
        await forgetClients(db, now)
      },
      async forget(tx, { userId }) {
        await forgetDeviceRequestsOf(tx, userId)
        await forgetGrantsOf(tx, userId)
      },
      endEveryone: async (tx, ending) => ({ agents: await endGrantsOf(tx, ending) }),
      made: { find: madeGrantsOf, handOn: handOnGrants, end: endMadeGrants },
    },
  })

import { defineRouter, type Router } from '@svc/core'
import { type AuthContract, operationsOf } from './auth-contract.ts'
import type { AnyContract } from './capability/contract.ts'
import { authContracts } from './contracts.ts'
import { mobileContract } from './mobile-contract.ts'
import { oauth2MetadataRouter } from './oauth2/metadata.ts'
import { relatedOriginsRouter } from './passkeys/related-origins.ts'
import { routesOf } from './running/routes-of.ts'

const wellKnown = [relatedOriginsRouter, oauth2MetadataRouter]

function routerOf(contracts: readonly AnyContract[]) {
  const routes = Object.assign({}, ...contracts.map(routesOf)) as ReturnType<typeof routesOf>
  return defineRouter(routes, { owns: '/_auth/', contract: mobileContract(contracts) })
}

/** Every route of the service: `defineRouter({ … }).packages([authRouter]).use([authenticate])`. */
export const authRouter = routerOf(authContracts).packages(wellKnown) as Router<AuthContract>

/**
 * The same with the operations of further capabilities: `createAuthRouter({ contracts: [magicLink] })`. Give the
 * capabilities themselves to `createAuthLifecycle({ capabilities })`.
 */
export function createAuthRouter({ contracts }: { contracts: readonly AnyContract[] }): Router {
  const all = [...authContracts, ...contracts]
  const twice = Object.keys(operationsOf(contracts)).filter((name) => name in authRouter.routes)
  if (twice.length > 0) throw new Error(`Sign-in has the operation ${twice.join(', ')} already.`)
  return routerOf(all).packages(wellKnown)
}

import { DefinitionError, defineRouter, type Router } from '@svc/core'
import type { AnyRoute, DeviceContract } from '@svc/core/contract'
import type { DeclaredRoute } from './application/application.ts'
import { type AuthContract, operationsOf } from './auth-contract.ts'
import { authenticate } from './authenticate/authenticate.ts'
import type { AnyContract } from './capability/contract.ts'
import { authContracts } from './contracts.ts'
import { mobileContract } from './mobile-contract.ts'
import { oauth2MetadataRouter, openidMetadataRouter, openidRouter } from './oauth2/oauth2.ts'
import { relatedOriginsRouter } from './passkeys/passkeys.ts'
import { routesOf } from './running/running.ts'
import type { AsksForMember } from './tenant-params.ts'

const wellKnown = [relatedOriginsRouter, oauth2MetadataRouter, openidMetadataRouter, openidRouter]

function routerOf(contracts: readonly AnyContract[]) {
  const routes = Object.assign({}, ...contracts.map(routesOf)) as ReturnType<typeof routesOf>
  return defineRouter(routes, { owns: '/_auth/', contract: mobileContract(contracts) })
}

/** Every route of the service: `defineRouter({ … }).packages([authRouter]).use([authenticate])`. */
export const authRouter = routerOf(authContracts).packages(wellKnown) as Router<AuthContract>

type Routes = Readonly<Record<string, AnyRoute>>

/** The compiler shows these words for a route that does not say who may call it. */
type SaysWho<All extends Routes> = {
  readonly [Name in keyof All]: All[Name] extends DeclaredRoute<infer Who>
    ? AsksForMember<Who, All[Name]>
    : "Say who may call this route, with `allow` of @svc/auth/server: allow.public(route…), allow.bearer(route…), allow.may('order:read')(route…)"
}

interface Given<All extends Routes> {
  /** The routes of the application. Each says who may call it. */
  routes?: All & SaysWho<All>
  /** Further capabilities. Give the capabilities themselves to `createAuthLifecycle({ capabilities })`. */
  contracts?: readonly AnyContract[]
  /** The contract for clients on devices, of the application's own routes. */
  contract?: DeviceContract
}

/**
 * The router of an application, with sign-in: `createAuthRouter({ routes: { listOrders } })`. Routers that you mount in
 * it are behind `authenticate`, unless their routes skip it.
 */
export function createAuthRouter<All extends Routes = {}>(given: Given<All>): Router<All> {
  const { routes = {} as All, contracts = [], contract } = given
  const problems = [...undeclared(routes), ...known(contracts)]
  if (problems.length > 0) throw new DefinitionError(problems)
  const signIn = routerOf([...authContracts, ...contracts]).packages(wellKnown)
  return defineRouter<All>(routes, contract && { contract })
    .packages([signIn])
    .use([authenticate])
}

function undeclared(routes: Routes) {
  return Object.entries(routes)
    .filter(([, { binding }]) => !binding.access)
    .map(
      ([
        name,
        {
          operation: { method, path },
        },
      ]) =>
        `Route "${name}" (${method} ${path}) does not say who may call it. Declare it with \`allow\` of @svc/auth/server, for example allow.bearer(route…).`,
    )
}

function known(contracts: readonly AnyContract[]) {
  return Object.keys(operationsOf(contracts))
    .filter((name) => name in authRouter.routes)
    .map((name) => `Sign-in has the operation "${name}" already. Rename yours.`)
}

import { EnvironmentError } from '@svc/core'
import type {
  AuthorizationServer,
  AuthorizationServerOptions,
  ExchangeClient,
} from '../authorization-server.ts'
import { documentAddress } from './client-keys.ts'

/** The clients that may exchange tokens, by their ids. */
export type ExchangeClients = ReadonlyMap<string, ExchangeClient>

/** Throws if one can't be a client here, or names a resource or a scope that there isn't. */
export function readExchangeClients(
  options: AuthorizationServerOptions | undefined,
  server: AuthorizationServer | null,
): ExchangeClients {
  const clients = Object.entries(options?.exchange ?? {})
  if (!server) return new Map()
  const told = clients.flatMap(([id, client]) =>
    problemsOf(server, client, documentAddress(server, id) !== null).map(
      (problem) => `authorizationServer.exchange["${id}"] ${problem}`,
    ),
  )
  if (told.length > 0) throw new EnvironmentError(told)
  return new Map(clients)
}

function problemsOf(server: AuthorizationServer, client: ExchangeClient, hasDocument: boolean) {
  const { serves, resources, scopes = [] } = client
  const unknown = [...serves, ...resources].filter((each) => !server.resources.includes(each))
  return [
    !hasDocument && 'is no address of a document that clientDocuments allows',
    serves.length === 0 && 'serves no resource: name those that it is the server of',
    resources.length === 0 && 'has no resources that it may get tokens for',
    ...unknown.map((each) => `names "${each}", which is not in resources`),
    ...scopes.map((each) => !server.scopes.has(each) && `names the scope "${each}", which is none`),
  ].filter((problem) => problem !== false)
}

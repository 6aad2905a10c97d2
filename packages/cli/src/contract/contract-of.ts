import { contractBundle, contractsOf, defineRouter, routeTable } from '@svc/core'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'

/** The contract of the application, or the named one of several. */
export function contractOf({ definition }: Application, { contract: name }: Flags) {
  const table = routeTable(definition.settings.router ?? defineRouter({}))
  const contracts = contractsOf(table)
  const names = contracts.map((each) => each.name).join(', ')
  if (!names) {
    throw new CommandFailure(
      'This application has no contract: mark operations with .inContract(…), and name it: defineRouter(routes, { contract: { name, version } }).',
    )
  }
  const [contract, ...others] = contracts.filter((each) => !name || each.name === name)
  if (!contract) throw new CommandFailure(`There is no contract "${name}". There is ${names}.`)
  if (others.length === 0) return contractBundle(table, contract)
  throw new CommandFailure(`There are several contracts: say which with --contract, of ${names}.`)
}

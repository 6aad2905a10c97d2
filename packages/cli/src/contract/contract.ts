import { relative } from 'node:path'
import { contractBundle, contractsOf, defineRouter, routeTable } from '@svc/core'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { printDocument } from '../print-document.ts'
import { paint } from '../terminal.ts'
import { readBundle } from './bundle.ts'
import { reportOn } from './report.ts'

/**
 * Compares the committed contract with the application's. It fails if clients break and the version
 * does not say so.
 */
export async function checkContract(application: Application, flags: Flags) {
  const file = relative('.', application.against)
  const before = await readBundle(application.against, file)
  // As it would be in a file.
  const now = JSON.parse(JSON.stringify(contractOf(application, flags)))
  const { changes, verdict, fails } = reportOn({ before, now }, file, {
    several: flags.contract !== undefined,
  })
  for (const change of changes) console.log(`${paint(fails ? 'red' : 'yellow', '✗')} ${change}`)
  console.log(changes.length > 0 ? `\n${verdict}` : verdict)
  return fails ? 1 : 0
}

/** Prints the contract for device clients, or writes it to a file. */
export async function printContract(application: Application, flags: Flags) {
  await printDocument(contractOf(application, flags), application.out)
  return 0
}

/** The contract of the application, or, of several, the named one. */
export function contractOf({ definition }: Application, { contract: name }: Flags) {
  const table = routeTable(definition.settings.router ?? defineRouter({}))
  const contracts = contractsOf(table)
  const names = contracts.map((each) => each.name).join(', ')
  if (!names) {
    throw new CommandFailure(
      'This application has no contract. Mark operations with .inContract(…), and name the contract: defineRouter(routes, { contract: { name, version } }).',
    )
  }
  const [contract, ...others] = contracts.filter((each) => !name || each.name === name)
  if (!contract) throw new CommandFailure(`There is no contract "${name}". There is ${names}.`)
  if (others.length === 0) return contractBundle(table, contract)
  throw new CommandFailure(`There are several contracts (${names}): choose one with --contract.`)
}

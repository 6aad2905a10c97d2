import { relative } from 'node:path'
import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { paint } from '../terminal.ts'
import { readBundle } from './bundle.ts'
import { contractOf } from './contract-of.ts'
import { reportOn } from './report.ts'

/** Compares the committed contract with the application's. Fails where clients break and no version says so. */
export async function checkContract(application: Application, flags: Flags) {
  const file = relative('.', application.against)
  const before = await readBundle(application.against, file)
  // As a file has it.
  const now = JSON.parse(JSON.stringify(contractOf(application, flags)))
  const { changes, verdict, fails } = reportOn({ before, now }, file, {
    several: flags.contract !== undefined,
  })
  for (const change of changes) console.log(`${paint(fails ? 'red' : 'yellow', '✗')} ${change}`)
  console.log(changes.length > 0 ? `\n${verdict}` : verdict)
  return fails ? 1 : 0
}

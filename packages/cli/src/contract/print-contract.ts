import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { printDocument } from '../print-document.ts'
import { contractOf } from './contract-of.ts'

/** Prints what clients on devices are built against, or writes it to a file. */
export async function printContract(application: Application, flags: Flags) {
  await printDocument(contractOf(application, flags), application.out)
  return 0
}

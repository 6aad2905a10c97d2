import { documentedRoutes, openApi } from '@svc/core'
import type { Application } from '../application/application.ts'
import { printDocument } from '../print-document.ts'

/** Prints what the application answers, its packages' and the server's own routes too, or writes it to a file. */
export async function printOpenApi({ definition, title, version, out }: Application) {
  await printDocument(openApi(documentedRoutes(definition), { title, version }), out)
  return 0
}

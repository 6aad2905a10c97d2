import { documentedRoutes, openApi } from '@svc/core'
import type { Application } from '../application/application.ts'
import { printDocument } from '../print-document.ts'

/**
 * Prints the OpenAPI document of the application, its packages and the server, or writes it to a
 * file.
 */
export async function printOpenApi({ definition, title, version, out }: Application) {
  await printDocument(openApi(documentedRoutes(definition), { title, version }), out)
  return 0
}

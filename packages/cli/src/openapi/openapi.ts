import { defineRouter, openApi, routeTable } from '@svc/core'
import type { Application } from '../application/open-application.ts'
import { printDocument } from '../print-document.ts'

/** Prints what the application answers, its packages' routes too, or writes it to a file. */
export async function printOpenApi({ definition, title, version, out }: Application) {
  const table = routeTable(definition.settings.router ?? defineRouter({}))
  await printDocument(openApi(table, { title, version }), out)
  return 0
}

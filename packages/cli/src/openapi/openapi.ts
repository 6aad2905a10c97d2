import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { defineRouter, openApi, routeTable } from '@svc/core'
import type { Application } from '../application/open-application.ts'
import { paint } from '../terminal.ts'

/** Prints what the application answers, its packages' routes too, or writes it to a file. */
export async function printOpenApi({ definition, title, version, out }: Application) {
  const table = routeTable(definition.settings.router ?? defineRouter({}))
  const text = JSON.stringify(openApi(table, { title, version }), null, 2)
  if (!out) {
    console.log(text)
    return 0
  }
  await writeFile(out, `${text}\n`)
  console.log(`${paint('green', 'wrote')} ${relative('.', out)}`)
  return 0
}

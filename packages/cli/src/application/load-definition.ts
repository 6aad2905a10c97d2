import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerDefinition } from '@svc/core'
import { CommandFailure } from '../failure.ts'
import { explainImportFailure } from './import-failure.ts'

const whatToWrite = 'write "export default defineServer()…", and start the server in another file.'

/**
 * The default export of the application's server file. Importing it runs the module, but starts no
 * server.
 */
export async function loadDefinition(file: string): Promise<ServerDefinition> {
  const name = relative(process.cwd(), file)
  const module = await importModule(file, name)
  if (!('default' in module)) {
    throw new CommandFailure(`${name} has no default export: ${whatToWrite}`)
  }
  if (isDefinition(module.default)) return module.default
  throw new CommandFailure(`The default export of ${name} is not a server: ${whatToWrite}`)
}

async function importModule(file: string, name: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    throw new CommandFailure(await explainImportFailure(error, name), { cause: error })
  }
}

/**
 * Recognised by its shape: the application may have another copy of @svc/core than this command.
 */
function isDefinition(value: unknown): value is ServerDefinition {
  if (!isObject(value) || !isObject(value.settings)) return false
  const { lifecycles, database } = value.settings
  return Array.isArray(lifecycles) && isObject(database)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import type { ServerDefinition } from '@svc/core'
import type { Flags } from '../flags.ts'
import { loadDefinition } from './load-definition.ts'
import { type Location, locate } from './locate.ts'

export interface Application extends Location {
  definition: ServerDefinition
}

/** Finds the application and loads its server definition. */
export async function openApplication(flags: Flags): Promise<Application> {
  const location = locate(flags)
  // As `npm run` does: `embedded:./.svc/data` is then one folder, wherever the command is called.
  process.chdir(location.root)
  return { ...location, definition: await loadDefinition(location.server) }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'

/** The part of a package.json that is read. */
export interface Manifest {
  name?: string
  version?: string
  svc?: { server?: string; routeMap?: string; main?: string; web?: string }
}

const settings = ['server', 'routeMap', 'main', 'web']

export function readManifest(root: string): Manifest {
  const file = join(root, 'package.json')
  const manifest = parse(file)
  for (const [setting, value] of Object.entries(manifest.svc ?? {})) {
    if (!settings.includes(setting)) {
      const known = settings.map((name) => `"${name}"`).join(', ')
      throw new CommandFailure(`"svc" in ${file} has no setting "${setting}": it has ${known}.`)
    }
    if (typeof value !== 'string') {
      throw new CommandFailure(`"svc" in ${file}: "${setting}" must be a path such as "./api.ts".`)
    }
  }
  return manifest
}

function parse(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new CommandFailure(`${file} is not valid JSON.`, { cause })
  }
}

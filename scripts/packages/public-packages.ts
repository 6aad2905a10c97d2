import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')

interface Manifest {
  name: string
  version: string
  private?: boolean
  exports: Record<string, unknown>
  license: string
  dependencies: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** The packages that can be published, with their folders below the repository's root. */
export function publicPackages() {
  return readdirSync(join(repository, 'packages'))
    .map((name) => `packages/${name}`)
    .map((folder): Manifest & { folder: string } => ({
      folder,
      ...JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')),
    }))
    .filter((each) => !each.private)
}

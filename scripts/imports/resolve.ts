import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

type Exports = Record<string, Record<string, string> | string>

/**
 * Finds the file of this repository that an import names: by a relative path, or by a workspace's
 * entry.
 */
export function resolver(root: string, files: Set<string>) {
  const entries = workspaceEntries(root)
  return (importer: string, specifier: string) => {
    if (!specifier.startsWith('.')) return entries.get(specifier) ?? null
    const path = posix.join(posix.dirname(importer), specifier)
    // With Next's compiler, an import may lack the extension, or name the emitted file.
    const candidates = [
      path,
      `${path}.ts`,
      `${path}.tsx`,
      `${path}/index.ts`,
      path.replace(/\.js$/, '.ts'),
    ]
    return candidates.find((each) => files.has(each)) ?? null
  }
}

/** `@svc/core/contract` → `packages/core/src/contract.ts`, from each package's exports. */
function workspaceEntries(root: string) {
  const entries = new Map<string, string>()
  for (const { name, folder, exports } of packages(root)) {
    for (const [subpath, target] of Object.entries(exports)) {
      const file = typeof target === 'string' ? target : target['svc-source']
      if (file) entries.set(posix.join(name, subpath), posix.join(folder, file))
    }
  }
  return entries
}

/** The packages of this repository, by the name that others import them under. */
function packages(root: string) {
  return readdirSync(join(root, 'packages'))
    .map((each) => `packages/${each}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest: { name: string; exports?: Exports } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      )
      return { folder, name: manifest.name, exports: manifest.exports ?? {} }
    })
}

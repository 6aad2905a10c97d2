import { posix } from 'node:path'
import { isShipped } from './place-of.ts'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/**
 * In addition to the file with the folder's name. Each is a part that others need without the rest.
 */
const doorNames = [
  // Code that a browser may load.
  'contract.ts',
  'client.ts',
  'errors.ts',
  'events.ts',
  'fields.ts',
  // Variables, which are declared before anything runs.
  'env.ts',
  // Code that only a server loads, such as a driver.
  'server.ts',
  // Next pages, which its server renders.
  'next.ts',
  // The words of another language, which a page loads when it needs them.
  'words.ts',
]

interface Place {
  name: string
  /** Null for a file directly under `src`. */
  folder: string | null
  file: string
}

type Imported = Place & { folder: string }

/**
 * Of a folder directly under the `src` of a package, other code of the package may import only
 * `<folder>.ts` and the files of `doorNames`. The rest is private to the folder. This holds for
 * files directly under `src` too. Tests may import everything.
 */
export function doors(files: SourceFile[]): Refusal[] {
  return files.filter(isShipped).flatMap(({ path, imports }) => {
    const from = placeIn(path)
    if (from === null) return []
    return imports.flatMap(({ target, line }) => {
      const to = target === null ? null : placeIn(target)
      if (to === null || !isOfAnother(from, to)) return []
      const rule = refuse(from, to)
      return rule === null ? [] : [{ path, line, rule: `${where(from)} imports ${rule}` }]
    })
  })
}

/** Imports from another package are checked by the rule for arrows. */
function isOfAnother(from: Place, to: Place): to is Imported {
  return to.name === from.name && to.folder !== null && to.folder !== from.folder
}

function refuse(from: Place, { folder, file }: Imported) {
  if (file === `${folder}.ts`) return null
  const name = `${folder}/${file}`
  if (file === 'schema.ts' || file === 'store.ts') {
    // A foreign key, or the list of all tables.
    if (file === 'schema.ts' && posix.basename(from.file) === 'schema.ts') return null
    return `${name}: only ${folder}/ touches its tables`
  }
  if (doorNames.includes(file)) return null
  if (file === 'capability.ts' && where(from) === 'capabilities.ts') return null
  const others = `${doorNames.slice(0, -1).join(', ')} or ${doorNames.at(-1)}`
  return `${name}, which is private: import it from ${folder}/${folder}.ts, or from its ${others}`
}

/** The package and the folder of a file, and its path there. */
function placeIn(path: string): Place | null {
  const [, name, folder, file] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?(.+)$/.exec(path) ?? []
  return name === undefined || file === undefined ? null : { name, folder: folder ?? null, file }
}

function where({ folder, file }: Place) {
  return folder === null ? file : `${folder}/`
}

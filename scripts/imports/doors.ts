import { posix } from 'node:path'
import { isShipped } from './place-of.ts'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/** Folders of auth whose files others still import one by one. Their tables are private already. */
const withoutDoor = ['application', 'capability', 'running', 'streams']

interface Importer {
  /** Null for a file directly under `src`. */
  folder: string | null
  file: string
}

interface Imported {
  folder: string
  file: string
}

/**
 * Of a folder of auth, others import `<folder>.ts`, and what a browser may load: `contract.ts`, `client.ts`,
 * `errors.ts`, `events.ts` and `fields.ts` (schemas that several contracts share). The rest is private to it. Tests may import everything.
 */
export function doors(files: SourceFile[]): Refusal[] {
  return files.filter(isShipped).flatMap(({ path, imports }) => {
    const from = placeIn(path)
    if (from === null) return []
    return imports.flatMap(({ target, line }) => {
      const to = target === null ? null : placeIn(target)
      if (to === null || to.folder === null || to.folder === from.folder) return []
      const rule = refuse(from, { folder: to.folder, file: to.file })
      return rule === null ? [] : [{ path, line, rule: `${where(from)} imports ${rule}` }]
    })
  })
}

function refuse(from: Importer, { folder, file }: Imported) {
  const name = `${folder}/${file}`
  if (file === 'schema.ts' || file === 'store.ts') {
    // A foreign key, or the list of all tables.
    if (file === 'schema.ts' && posix.basename(from.file) === 'schema.ts') return null
    return `${name}: only ${folder}/ touches its tables`
  }
  if (withoutDoor.includes(folder) || isOpen(from, { folder, file })) return null
  const remedy = `import it from ${folder}/${folder}.ts, or from its contract.ts, client.ts, errors.ts, events.ts or fields.ts`
  return `${name}, which is private: ${remedy}`
}

function isOpen(from: Importer, { folder, file }: Imported) {
  if (
    [`${folder}.ts`, 'contract.ts', 'client.ts', 'errors.ts', 'events.ts', 'fields.ts'].includes(
      file,
    )
  )
    return true
  return file === 'capability.ts' && from.folder === null && from.file === 'capabilities.ts'
}

/** The folder of auth that a file is in, and its path there. */
function placeIn(path: string): Importer | null {
  const [, folder, file] = /^packages\/auth\/src\/(?:([^/]+)\/)?(.+)$/.exec(path) ?? []
  return file === undefined ? null : { folder: folder ?? null, file }
}

function where({ folder, file }: Importer) {
  return folder === null ? file : `${folder}/`
}

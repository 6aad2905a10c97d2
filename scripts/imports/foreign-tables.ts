import { basename } from 'node:path'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/**
 * A folder of auth keeps its tables to itself: others call its operations. Its `schema` may be
 * imported by another folder's `schema`, for a foreign key. Tests may look into the rows.
 */
export function foreignTables(files: SourceFile[]): Refusal[] {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, imports }) => {
      const own = placeOf(path)
      if (own === null) return []
      return imports.flatMap(({ target, line }) => {
        const other = target === null ? null : placeOf(target)
        if (other === null || other.folder === own.folder) return []
        const isTable = other.file === 'store.ts' || other.file === 'schema.ts'
        if (!isTable || (other.file === 'schema.ts' && basename(own.file) === 'schema.ts'))
          return []
        const rule = `${own.folder}/ imports ${other.folder}/${other.file}: only ${other.folder}/ touches its tables`
        return [{ path, line, rule }]
      })
    })
}

/** The capability a file belongs to; null for the files directly under src, which join them all. */
function placeOf(path: string) {
  const [, folder, file] = /^packages\/auth\/src\/([^/]+)\/(.+)$/.exec(path) ?? []
  return folder === undefined || file === undefined ? null : { folder, file }
}

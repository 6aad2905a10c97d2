import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'

// An editor writes a file in several steps. Half a file would be started and thrown away.
const settleMillis = 50

const source = /\.(?:[cm]?[jt]sx?|json)$/

/**
 * The command writes these itself, even while the API is broken. They can only fix it if one was
 * missing.
 */
const generated = /\.generated\.\w+$/

interface Watched {
  onChange: () => void
  /**
   * A missing file is not among the known files. Then any other file in their folders may be the
   * missing one.
   */
  isBroken: () => boolean
}

/** Watches files through their folders, because an editor may replace a file by a new one. */
export function watchFiles({ onChange, isBroken }: Watched) {
  const files = new Set<string>()
  const folders = new Map<string, FSWatcher>()
  let settling: NodeJS.Timeout | undefined

  function noteChange(counts: boolean) {
    if (!counts) return
    clearTimeout(settling)
    settling = setTimeout(onChange, settleMillis)
  }
  function watchFolder(folder: string, counts: (name: string, isNew: boolean) => boolean) {
    if (folders.has(folder) || !existsSync(folder)) return
    const watcher = watch(folder, (kind, name) =>
      noteChange(name !== null && counts(name, kind === 'rename')),
    )
    // Its folder was removed.
    watcher.on('error', () => folders.delete(folder))
    folders.set(folder, watcher)
  }

  const mayBeMissing = (name: string, isNew: boolean) =>
    isBroken() && source.test(name) && (isNew || !generated.test(name))

  return {
    add(file: string) {
      files.add(file)
      const folder = dirname(file)
      watchFolder(
        folder,
        (name, isNew) => files.has(join(folder, name)) || mayBeMissing(name, isNew),
      )
    },
    /** Watches every file of a kind in a folder, if the folder exists. */
    addFolder: (folder: string, kind: RegExp) => watchFolder(folder, (name) => kind.test(name)),
    close() {
      clearTimeout(settling)
      for (const watcher of folders.values()) watcher.close()
    },
  }
}

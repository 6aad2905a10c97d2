import { createHash } from 'node:crypto'
import { accessSync, constants, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Databases of the files that run at a time, their templates, and a gigabyte of log at most. */
const room = 4 * 2 ** 30

/**
 * The address of an embedded PostgreSQL with its files in memory; null if there is no room. A
 * database is six hundred files: on a disk, creating and dropping one costs Linux six times as
 * much of a processor.
 */
export function postgresInMemory(folder = '/dev/shm', memory = process.availableMemory()) {
  if (memory < room || !hasRoom(folder)) return null
  // The next run finds the server of one that was killed.
  const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)
  return `embedded:${join(folder, `svc-testing-${process.getuid?.() ?? ''}-${checkout}`)}?fsync=off`
}

function hasRoom(folder: string) {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= room
  } catch {
    return false
  }
}

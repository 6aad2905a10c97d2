import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeviceKeyError } from '../device-key/device-key.ts'

type Next = (current: string | null) => string | null

/**
 * Stores what `next` makes of a file's text; null deletes the file. As in git, the lock is the new
 * file itself: concurrent processes run one after the other, and a crash leaves the old text or the
 * new one, never half of it.
 */
export async function exchangeFile(file: string, next: Next): Promise<string | null> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const path = `${file}.lock`
  const lock = await takeLock(path)
  // Once it has become the file, a lock at this path is another process's.
  let held = true
  try {
    const current = await readIfThere(file)
    const kept = next(current)
    if (kept === null) await rm(file, { force: true })
    else if (kept !== current) {
      await lock.writeFile(kept)
      await lock.sync()
      await lock.close()
      await rename(path, file)
      held = false
      await syncFolder(dirname(file))
    }
    return kept
  } finally {
    await lock.close()
    if (held) await rm(path, { force: true })
  }
}

// A process holds the lock for milliseconds.
const longestWaitMillis = 2_000

async function takeLock(path: string) {
  const until = Date.now() + longestWaitMillis
  for (;;) {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    if (Date.now() > until) {
      throw new DeviceKeyError(
        `Another process is writing the device key: ${path} exists. If no process is running, delete that file.`,
      )
    }
    await sleep(20)
  }
}

async function readIfThere(file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** A rename is on the disk only when its folder is. Windows can't open folders. */
async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

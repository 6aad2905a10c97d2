import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { open } from 'node:fs/promises'

export interface User {
  uid: number
  gid: number
}

export const isRoot = process.getuid?.() === 0

/**
 * The environment is not passed on: `PGDATA`, `LC_ALL` and the like must not decide anything here.
 */
export function asUser(user: User | null): SpawnOptions {
  return {
    ...user,
    ...(user && { cwd: '/' }),
    ...(process.platform === 'win32' ? { windowsHide: true } : { env: {} }),
  }
}

/**
 * A path that a child process can open even if it may not enter the folders above, such as those of
 * a checkout under `/root`: an open descriptor leads straight to the file.
 */
export async function handOver(path: string, descriptor: number) {
  if (!isRoot || process.platform !== 'linux') {
    return { path, stdio: 'ignore' as const, close: async () => {} }
  }
  const handle = await open(path, 'r')
  return {
    path: `/proc/self/fd/${descriptor}`,
    stdio: handle.fd,
    close: () => handle.close(),
  }
}

/** Null if it ended well, otherwise the reason. */
export function exitOf(child: ChildProcess) {
  return new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? null : `exit ${code ?? signal}`))
  })
}

export function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

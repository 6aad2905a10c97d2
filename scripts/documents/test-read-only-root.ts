import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { findProgram } from '../find-program.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Where the repository is in there, and the one folder beside `/tmp` that may take files. */
export const inside = { app: '/mnt/app', volume: '/mnt/volume' }

const unshare = findProgram('unshare') ?? 'unshare'
const node = process.execPath.replace(`${root}/`, `${inside.app}/`)

/** As a container with a read-only root has it: all is there, and only `/tmp` and the volume take files. */
const script = `
set -e
mount --make-rprivate /
mount -t tmpfs none /mnt
mkdir ${inside.app} ${inside.volume}
mount --bind "$1" ${inside.app}
mount -o remount,bind,ro ${inside.app}
# What an application has written outside is not there.
[ ! -d ${inside.app}/apps/starter/.svc ] || mount -t tmpfs -o ro none ${inside.app}/apps/starter/.svc
[ -z "$2" ] || mount --bind "$2" ${inside.volume}
mount -o remount,ro /mnt
mount -o remount,bind,ro /
mount -t tmpfs -o "$3" none /tmp
cd ${inside.app}/apps/starter
shift 3
exec setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs -- "$@"`

export interface Place {
  /** A folder outside, which is the volume inside. */
  volume?: string
  /** Options of the file system in `/tmp`. */
  tmp?: string
}

function command({ volume = '', tmp = 'mode=1777' }: Place, args: readonly string[]) {
  const given = ['sh', root, volume, tmp, node, '--conditions=svc-source', ...args]
  return ['--mount', 'sh', '-c', script, ...given]
}

/** Starts Node in the folder of the starter, as a user without rights on a root that is read-only. */
export function spawnReadOnly(place: Place, args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawn(unshare, command(place, args), { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What a program may write there: nothing of its own, nor of the system. */
const attempt = `
  const { writeFileSync } = require('node:fs')
  for (const folder of ['.', '/mnt', '/var/tmp', '/etc']) {
    try { writeFileSync(folder + '/svc-test', ''); process.exit(1) } catch {}
  }
  writeFileSync('/tmp/svc-test', '')`

const tried = spawnSync(unshare, command({}, ['-e', attempt]))

/** Behind the title of a test: why it is skipped. */
export const withoutMounts =
  tried.status === 0 ? '' : ' (this user cannot make a root read-only, by unshare and setpriv)'

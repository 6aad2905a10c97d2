import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const clone = resolve(import.meta.dirname, '../../..')
const built = resolve(import.meta.dirname, '../dist/main.js')

/** What is published is built. In a clone, the command may be the first that runs, and then it builds. */
export function buildClone() {
  // Under --conditions=svc-source, wherever that was given.
  const isFromSource = import.meta.resolve('#main').endsWith('.ts')
  if (isFromSource || existsSync(built) || !existsSync(join(clone, 'tsconfig.build.json'))) return
  // On stderr: what a command prints may be read by a program.
  console.error('Building the packages. This happens once in a clone.')
  const compiler = join(clone, 'node_modules', '.bin', 'tsc')
  const { status } = spawnSync(compiler, ['-b', 'tsconfig.build.json'], {
    cwd: clone,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(`Building the packages failed. Run "npm install" in ${clone} and try again.`)
  process.exit(1)
}

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const own = resolve(import.meta.dirname, '../..')
const compiler = resolve(own, '../../node_modules/.bin/tsc')

/** A clone in which nothing was built; the command says one word. */
function clone() {
  const root = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'tsconfig.build.json': JSON.stringify({
      files: ['packages/cli/src/main.ts'],
      compilerOptions: {
        composite: true,
        types: [],
        module: 'nodenext',
        rootDir: 'packages/cli/src',
        outDir: 'packages/cli/dist',
      },
    }),
    'packages/cli/src/main.ts': `export const main = (): number => (console.log('made'), 0)\ndeclare const console: { log(text: string): void }\n`,
  })
  cpSync(join(own, 'package.json'), join(root, 'packages/cli/package.json'))
  cpSync(join(own, 'bin'), join(root, 'packages/cli/bin'), { recursive: true })
  return root
}

function svc(root: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/svc.js'), 'create', 'board'],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

it('svc in a clone that was not built builds first, once', { timeout: 60_000 }, () => {
  const root = clone()
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  symlinkSync(compiler, join(root, 'node_modules/.bin/tsc'))
  const building = 'Building the packages. This happens once in a clone.\n'
  expect(svc(root)).toEqual({ status: 0, stdout: 'made\n', stderr: building })
  expect(svc(root)).toEqual({ status: 0, stdout: 'made\n', stderr: '' })
})

it('svc in a clone whose packages are not installed says what to run', { timeout: 60_000 }, () => {
  const root = clone()
  const { status, stderr } = svc(root)
  expect(status).toBe(1)
  expect(stderr).toContain(
    `Building the packages failed. Run "npm install" in ${root} and try again.`,
  )
})

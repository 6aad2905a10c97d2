import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { publicPackages, repository } from './public-packages.ts'

type Files = Record<string, string>

/** Runs a program to its end. If it fails, throws its output. */
export async function mustRun(
  command: [string, ...string[]],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
) {
  const { passed, output } = await runCommand(command, options)
  if (!passed) throw new Error(`${command.join(' ')}\n${output}`)
  return output
}

/** Builds and packs our packages. Returns the tarballs by the package's name. */
export async function packInto(folder: string) {
  const packages = publicPackages()
  await mustRun(['tsc', '-b', 'tsconfig.build.json'], { cwd: repository })
  const workspaces = packages.flatMap((each) => ['-w', each.folder])
  await mustRun(['npm', 'pack', ...workspaces, '--pack-destination', folder], { cwd: repository })
  const files = readdirSync(folder)
  return Object.fromEntries(
    packages.map(({ name, version }) => {
      const file = files.find(
        (each) => each === `${name.replace(/^@(.+)\//, '$1-')}-${version}.tgz`,
      )
      return [name, `file:${join(folder, file ?? 'missing')}`]
    }),
  )
}

/** An empty project outside of the repository, in which our packages are installed as from a registry. */
export async function installedProject(others: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'svc-installed-'))
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  mkdirSync(join(root, 'packed'))
  const ours = await packInto(join(root, 'packed'))
  const manifest = { name: 'consumer', type: 'module', private: true }
  write({ 'package.json': JSON.stringify({ ...manifest, dependencies: { ...ours, ...others } }) })
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await mustRun(['npm', 'install', ...quiet], { cwd: root })
  return { root, ours, write, remove: () => rmSync(root, { recursive: true, force: true }) }
}

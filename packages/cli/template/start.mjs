// Runs a command of svc, such as `start` or `dev`, on any Node that the machine has. It installs
// what is missing, and continues on the Node that comes with the packages, if there is one for this
// machine.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'

const installed = 'node_modules/.package-lock.json'
const isInstalled =
  existsSync(installed) &&
  existsSync('package-lock.json') &&
  // npm writes its own record after the lock file.
  statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs

if (!isInstalled) install()
run(ownNode() ?? process.execPath, ['node_modules/@svc/cli/bin/svc.js', ...process.argv.slice(2)])

function install() {
  console.log('Installing packages (npm install). The first time takes a minute or two.')
  // With NODE_ENV=production, npm would not install the command.
  const args = ['install', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function ownNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = `node_modules/node-${platform}-${process.arch}/bin/${binary}`
  return existsSync(path) ? path : null
}

function run(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' })
  // Ctrl-C reaches it as well. Signals that only this process gets are passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithParent(child)
  child.on('error', ({ message }) => {
    console.error(`${node} does not start: ${message}`)
    process.exitCode = 1
  })
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/**
 * A killed npm, or its shell, sends us nothing. The processes that were started would run for ever.
 */
function endWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250)
  watch.unref()
}

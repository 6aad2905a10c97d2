// Runs on any Node that the machine has, before anything is installed: plain JavaScript, no
// dependencies, nothing newer than Node 20. It installs what is missing and hands over.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const oldestNode = [22, 18]

/** Installs what is missing, then runs `scripts/<script>` on the repository's own Node. */
export async function run(script, ...args) {
  process.chdir(repository)
  if (process.env.npm_lifecycle_event) endWithParent()
  if (!isInstalled(repository)) await install(repository)

  const bin = join(repository, 'node_modules', '.bin')
  process.env.PATH = bin + delimiter + (process.env.PATH ?? '')

  const path = join(repository, 'scripts', script)
  const node = ownNode(repository)
  if (node !== null && realpathSync(process.execPath) !== node) return handOver(node, path, args)
  if (node === null && !isRecent(process.versions.node)) {
    fail(
      `This is Node ${process.versions.node}; Svc needs ${oldestNode.join('.')} or newer.`,
      `No Node comes with the packages for ${process.platform}-${process.arch}:`,
      'install a current one from https://nodejs.org and run the command again.',
    )
  }
  process.argv = [process.argv[0], path, ...args, ...process.argv.slice(2)]
  await import(pathToFileURL(path).href)
}

/** Whether node_modules matches package-lock.json. */
function isInstalled(root) {
  const lock = join(root, 'package-lock.json')
  const stamp = join(root, 'node_modules', '.svc-installed')
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(lock)) return true
  // npm writes its own record after the lock file, so an install by hand counts as well.
  if (statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false
  writeFileSync(stamp, hashOf(lock))
  return true
}

async function install(root) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  console.log('Installing packages (npm install). The first time takes a minute or two.')
  const progress = setInterval(() => console.log(`  … ${seconds()} s`), 5_000)
  const { code, output } = await npmInstall(root)
  clearInterval(progress)

  if (code !== 0) {
    fail(
      ...output.split('\n').filter((line) => !line.includes('EBADENGINE')),
      `npm install failed after ${seconds()} s; its output is above. What usually helps:`,
      '  no network or registry   check `npm ping`, and a proxy in `npm config list`',
      '  anything else            delete node_modules and run the command again',
    )
  }
  writeFileSync(
    join(root, 'node_modules', '.svc-installed'),
    hashOf(join(root, 'package-lock.json')),
  )
  console.log(`Installed in ${seconds()} s.`)
}

/** Not `npm ci`: it would delete the Node that other commands in this checkout run on. */
function npmInstall(root) {
  // npm puts node_modules/.bin first on PATH, but this install may replace the Node in there.
  const path = (process.env.PATH ?? '').split(delimiter)
  const outside = path.filter((folder) => !folder.startsWith(join(root, 'node_modules')))
  // With NODE_ENV=production, npm would not install the compiler.
  const npm = spawn('npm', ['install', '--no-save', '--include=dev'], {
    cwd: root,
    env: { ...process.env, PATH: outside.join(delimiter) },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  npm.stdout.on('data', keep)
  npm.stderr.on('data', keep)
  return new Promise((resolve) => {
    npm.on('error', (error) => resolve({ code: 1, output: `npm does not start: ${error.message}` }))
    npm.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * A killed npm, or its shell, sends us nothing. The processes that we started would run for ever.
 */
function endWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

function ownNode(root) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', binary)
  return existsSync(path) ? realpathSync(path) : null
}

function handOver(node, script, args) {
  const child = spawn(node, [script, ...args, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`))
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

function isRecent(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function fail(...lines) {
  console.error(lines.join('\n'))
  process.exit(1)
}

import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { isOrder, type Report } from './messages.ts'

// Loaded into the API's process before its main file. Packages take most of the time of a start and
// do not change. So a process loads them ahead and waits; it loads the files of the application
// when it gets the order.

// A thread has no channel, and child processes of the API have no parent that listens.
if (isMainThread && process.connected) {
  reportImports((report) => process.send?.(report))
  await toldToStart()
}

/** A file is reported before it is read, so that a broken one is known too. */
function reportImports(tell: (report: Report) => void) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      if (isPackage(resolved.url) && isOwn(context.parentURL)) {
        tell({ svc: 'package', url: resolved.url })
      }
      return resolved
    },
    load(url, context, nextLoad) {
      if (isOwn(url)) tell({ svc: 'file', path: fileURLToPath(url) })
      // Packages that are loaded only when needed, such as the database's.
      else if (isModule(url, context)) tell({ svc: 'package', url })
      return nextLoad(url, context)
    },
  })
}

function isPackage(url: string) {
  return url.startsWith('file:') && url.includes('/node_modules/')
}

/** An imported module of a package. Modules that it requires are loaded with it. */
function isModule(url: string, { conditions }: { conditions: readonly string[] }) {
  return isPackage(url) && conditions.includes('import')
}

function isOwn(url = '') {
  return url.startsWith('file:') && !isPackage(url) && url !== import.meta.url
}

async function toldToStart() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let loading = Promise.resolve()
  const listen = (message: unknown) => {
    if (!isOrder(message)) return
    if (message.svc === 'load') loading = load(message.packages)
    else resolve()
  }
  process.on('message', listen)
  await promise
  process.off('message', listen)
  await loading
}

/** A module that fails here fails again when the application imports it, and is reported there. */
async function load(packages: readonly string[]) {
  for (const url of packages) await import(url).catch(() => {})
}

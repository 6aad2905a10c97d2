import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { isOrder, type Report } from './messages.ts'

// Loaded into the API's process before its main file. Packages take most of the time of a start and do not change, so
// that a process loads them ahead and waits; the files of the application it loads when it is told to.

// A thread has no channel, and what the API starts has no parent that listens.
if (isMainThread && process.connected) {
  reportImports((report) => process.send?.(report))
  await toldToStart()
}

/** Files are told before they are read, so that also a broken one is known. */
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
      // What the packages load only when they need it, as that of the database.
      else if (isModule(url, context)) tell({ svc: 'package', url })
      return nextLoad(url, context)
    },
  })
}

function isPackage(url: string) {
  return url.startsWith('file:') && url.includes('/node_modules/')
}

/** Of a package, and imported: what it requires comes along with it. */
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

/** One that fails here fails again where the application imports it, and there it is told. */
async function load(packages: readonly string[]) {
  for (const url of packages) await import(url).catch(() => {})
}

import { type Part, startProcess } from '../run/run.ts'
import { isReport, type Order } from './messages.ts'

export type ApiProcess = ReturnType<ReturnType<typeof createApiProcesses>['next']>

interface Around {
  write: (line: string) => void
  /** The application has imported a file. */
  onFile: (path: string) => void
}

/** Makes processes of the API. While one serves, the next one loads its packages. */
export function createApiProcesses(part: Part, { write, onFile }: Around) {
  const packages = new Set<string>()
  let ahead: ReturnType<typeof begin> | null = null

  function begin() {
    const started = startProcess(withPreload(part), { write, hasChannel: true })
    started.child.on('message', (message) => {
      if (!isReport(message)) return
      if (message.svc === 'file') onFile(message.path)
      else packages.add(message.url)
    })
    const tell = (order: Order) => started.child.connected && started.child.send(order)
    return { ...started, tell }
  }

  return {
    /** The process that loads the application now. */
    next() {
      const started = ahead?.hasEnded() === false ? ahead : begin()
      ahead = null
      started.tell({ svc: 'start' })
      return started
    },
    /** Makes one more process load the packages. */
    prepare() {
      if (packages.size === 0) return
      ahead ??= begin()
      ahead.tell({ svc: 'load', packages: [...packages] })
    },
    stop: (patienceMillis: number) => ahead?.stop(patienceMillis),
  }
}

function withPreload(part: Part): Part {
  // The order matters: modules loaded after `#preload` count as the application's own files.
  const imports = ['#syntax-failure', '#preload'].flatMap((name) => [
    '--import',
    import.meta.resolve(name),
  ])
  return { ...part, args: [...imports, ...part.args] }
}

import { parseArgs } from 'node:util'
import { delayMillis, portOf, serveForProduction } from './env.ts'
import { type ServedWebApp, serveWebApp } from './front.ts'

const help = `svc-web [folder]     serves a web app that "next build" has built
  -p, --port       the port (PORT, or 3790)
  -H, --hostname   the address to listen on; every address unless set`

/** The command. A failed start prints one sentence. The first signal stops the app in order, a second one at once. */
export async function main(args: string[]) {
  try {
    const { folder, port, host, isHelp } = read(args)
    if (isHelp) return console.log(help)
    serveForProduction()
    const served = await serveWebApp({ folder, port, host, delayMillis: delayMillis() })
    endOnSignal(served)
    return console.log(`The web app listens on ${served.url}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

function read(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      port: { type: 'string', short: 'p' },
      hostname: { type: 'string', short: 'H' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { port, hostname: host, help: isHelp = false } = values
  const [folder = '.'] = positionals
  return { folder, port: portOf(port), host, isHelp }
}

function endOnSignal({ stop }: ServedWebApp) {
  let signals = 0
  const end = () => {
    signals += 1
    if (signals > 1) process.exit(1)
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end).on('SIGINT', end)
}

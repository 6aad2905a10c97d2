import { createServer } from 'node:net'

export function isPort(port: number) {
  return Number.isInteger(port) && port > 0 && port < 65_536
}

/** Whether a server could listen here, on every address and on the loopback address. */
export async function isFree(port: number) {
  return (await canListen(port)) && canListen(port, '127.0.0.1')
}

/** The next port on which nothing listens, and which is not one of the others. */
export async function nextFree(after: number, others: ReadonlySet<number>) {
  for (let port = after + 1; ; port += 1) {
    // Behind the last port come those that nobody needs rights for.
    if (!isPort(port)) port = 1024
    if (!others.has(port) && (await isFree(port))) return port
  }
}

function canListen(port: number, host?: string) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

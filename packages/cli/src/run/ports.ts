import { createServer } from 'node:net'
import { inheritedEnvironment } from '../env.ts'
import { CommandFailure } from '../failure.ts'

function isPort(port: number) {
  return Number.isInteger(port) && port > 0 && port < 65_536
}

/** Whether a server could listen here, on every address and on the loopback address. */
async function isFree(port: number) {
  return (await canListen(port)) && canListen(port, '127.0.0.1')
}

/** The next free port that is not one of the others. */
async function nextFree(after: number, others: ReadonlySet<number>) {
  for (let port = after + 1; ; port += 1) {
    // After the last port, start again at the first one that needs no special rights.
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

interface Wanted {
  variable: string
  port: number
}

/**
 * Refuses to start on a port that is taken. The message has the command with free ports, ready to
 * run.
 */
export async function requirePorts(wanted: readonly Wanted[], command: string) {
  const wrong = wanted.find(({ port }) => !isPort(port))
  if (wrong) throw new CommandFailure(`${wrong.variable} is not a port (1 to 65535).`)
  const asked = wanted.map(async (each) => ((await isFree(each.port)) ? [] : [each]))
  const taken = (await Promise.all(asked)).flat()
  if (taken.length === 0) return
  const ports = taken.map(({ port }) => port).join(' and ')
  const variables = (await assignments(wanted, taken)).join(' ')
  throw new CommandFailure(
    taken.length === 1
      ? `Port ${ports} is taken. Choose another one: ${variables} ${command}`
      : `Ports ${ports} are taken. Choose others: ${variables} ${command}`,
  )
}

/**
 * A free port for each that is taken. A port that was given with the command and is free must be
 * given again.
 */
async function assignments(wanted: readonly Wanted[], taken: readonly Wanted[]) {
  const given = inheritedEnvironment()
  const used = new Set(wanted.map(({ port }) => port))
  const words: string[] = []
  for (const each of wanted) {
    const { variable, port } = each
    const free = taken.includes(each) ? await nextFree(port, used) : port
    used.add(free)
    if (free !== port || given[variable]) words.push(`${variable}=${free}`)
  }
  return words
}

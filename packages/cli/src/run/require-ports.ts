import { inheritedEnvironment } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import { isFree, isPort, nextFree } from './ports.ts'

interface Wanted {
  variable: string
  port: number
}

/** Refuses to begin on a port that is taken, and says once with which ones it would: typed as it stands, it runs. */
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

/** A free port for each that is taken; what was given with the command and is free has to be given again. */
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

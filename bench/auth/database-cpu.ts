import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Linux, on every machine that runs this.
const microsOfTick = 10_000

interface Stat {
  parent: number
  ticks: number
  /** Of children that have ended. */
  endedTicks: number
}

function statOf(pid: string): Stat | null {
  try {
    // The name of the program is in brackets, and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const number = (at: number) => Number(fields[at])
    return {
      parent: number(1),
      ticks: number(11) + number(12),
      endedTicks: number(13) + number(14),
    }
  } catch {
    return null
  }
}

/**
 * The processor time of the PostgreSQL in a directory, with all its processes; 0 if it can't be
 * read.
 */
export function databaseCpuMicros(directory: string) {
  try {
    const [pid = ''] = readFileSync(join(directory, 'pg', 'postmaster.pid'), 'utf8').split('\n')
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const children = all.map(statOf).filter((stat) => stat?.parent === Number(pid))
    const postmaster = statOf(pid)
    const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), postmaster?.ticks ?? 0)
    return (ticks + (postmaster?.endedTicks ?? 0)) * microsOfTick
  } catch {
    return 0
  }
}
